/** Controls, directional overrides and invisible letters: a model reads what no person sees in a review. */
const HIDDEN =
  /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const MAX_CHARS = 4_000;

/** A stranger's description as models get it. What it is pinned by is the text as it came. */
export function plainDescription(text: string): string {
  const visible = text.replace(HIDDEN, (char) => (char === '\n' || char === '\t' ? char : ''));
  return visible.slice(0, MAX_CHARS);
}

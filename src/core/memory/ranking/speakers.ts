import { fold } from './split-words.ts';

/** `Caroline: I went …`: who says it, and where what is said begins. */
export interface SpeakerLabel {
  readonly name: string;
  readonly end: number;
}

const LABEL = /^\s*([\p{L}][\p{L}\p{M}\p{N}'’._ -]{0,39}?)\s*[:：]\s+/u;
const MAX_NAME_LENGTH = 80;
export const MAX_NAME_WORDS = 3;
const SPEAKER_TAG = /^(?:speaker|person|author|from)[:=]\s*(.+)$/i;

/** Words that stand before a colon without being anybody. */
const HEADINGS: ReadonlySet<string> = new Set(
  `note notes todo fixme warning error info hint tip example summary question answer title subject date time url link
  source result results decision decisions fact facts task tasks reminder remember update status reason goal step idea`
    .trim()
    .split(/\s+/),
);

export function findSpeakerLabel(text: string): SpeakerLabel | undefined {
  const match = LABEL.exec(text);
  const name = match?.[1]?.trim();
  if (!match || name === undefined) return undefined;
  if (name.split(/\s+/).length > MAX_NAME_WORDS || HEADINGS.has(name.toLowerCase()))
    return undefined;
  return { name: toSpeakerName(name), end: match[0].length };
}

/** Who said a text: by its label, else by a tag such as `speaker:Caroline`. */
export function findSpeaker(text: string, tags: readonly string[]): string | undefined {
  const label = findSpeakerLabel(text);
  if (label) return label.name;
  for (const tag of tags) {
    const name = toSpeakerName(SPEAKER_TAG.exec(tag)?.[1] ?? '');
    if (name !== '') return name;
  }
  return undefined;
}

/** What a text says, without who says it: the name would draw vectors of all that one person said together. */
export function withoutSpeaker(text: string): string {
  const label = findSpeakerLabel(text);
  const said = label ? text.slice(label.end) : text;
  return said.trim() === '' ? text : said;
}

/** However it is written: `José` and `jose` are one. */
export function toSpeakerName(written: string): string {
  return fold(written.slice(0, MAX_NAME_LENGTH))
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

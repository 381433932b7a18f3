const QUOTES = '"""';

/** What Enter means for the text typed so far: the message is whole, or it goes on in another line. */
export type Typed =
  | { readonly isWhole: true; readonly message: string }
  | { readonly isWhole: false; readonly text: string };

/** A backslash at the end, or three quotes that were opened and not closed, ask for another line. */
export function readTyped(text: string): Typed {
  const trimmed = text.trim();
  if (trimmed.startsWith(QUOTES)) {
    const isClosed = trimmed.length >= 2 * QUOTES.length && trimmed.endsWith(QUOTES);
    if (!isClosed) return { isWhole: false, text: `${text}\n` };
    const quoted = trimmed.slice(QUOTES.length, -QUOTES.length);
    return { isWhole: true, message: quoted.replace(/^\n/, '').replace(/\n$/, '') };
  }
  if (text.endsWith('\\')) return { isWhole: false, text: `${text.slice(0, -1)}\n` };
  return { isWhole: true, message: text };
}

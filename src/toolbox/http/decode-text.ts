import type { Buffer } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** The text of a body in the character set that its type names; base64 when it is no text at all. */
export function decodeText(
  bytes: Buffer,
  contentType: string | undefined,
): { readonly text: string; readonly isText: boolean } {
  const charset = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  const decoder = createDecoder(charset);
  const isWide = decoder.encoding.startsWith('utf-16');
  if (!isWide && bytes.includes(0)) return { text: bytes.toString('base64'), isText: false };
  // As a stream that goes on: a character that was cut at the end is left out and not replaced.
  return { text: decoder.decode(bytes, { stream: true }), isText: true };
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

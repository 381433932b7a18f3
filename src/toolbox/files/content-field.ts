import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { MAX_TEXT_BYTES } from './text-limit.ts';

/** The `content` argument of the tools that write text. */
export function contentField(description: string) {
  return z
    .string({
      error: (issue) =>
        issue.input === undefined ? 'content is required' : 'content must be a string',
    })
    .refine((content) => Buffer.byteLength(content) <= MAX_TEXT_BYTES, {
      error: `content must be at most ${MAX_TEXT_BYTES} bytes`,
    })
    .describe(description);
}

/** As upstream counts: line breaks plus one, none in an empty text. */
export function countLines(content: string): number {
  return content === '' ? 0 : content.split('\n').length;
}

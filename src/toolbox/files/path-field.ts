import * as z from 'zod';

/** The `path` argument of the file tools. Whether it may be used is for the guard to say. */
export function pathField(description: string) {
  return z
    .string({
      error: (issue) => (issue.input === undefined ? 'path is required' : 'path must be a string'),
    })
    .describe(description);
}

/** A whole number from `min` to `max`, with a message that names the field. */
export function countField(name: string, min: number, max: number) {
  const message = `${name} must be a whole number from ${min} to ${max}`;
  return z.int({ error: message }).min(min, message).max(max, message);
}

import * as z from 'zod';

/** A path argument of the file tools. Whether it may be used is for the guard to say. */
export function pathField(description: string, name = 'path') {
  return z
    .string({
      error: (issue) =>
        issue.input === undefined ? `${name} is required` : `${name} must be a string`,
    })
    .describe(description);
}

export function flagField(name: string, description: string) {
  return z
    .boolean({ error: `${name} must be true or false` })
    .describe(`${description}; false when left out.`)
    .optional();
}

export function createParentsField() {
  return flagField('create_parents', 'Make missing directories on the way');
}

/** A whole number from `min` to `max`, with a message that names the field. */
export function countField(name: string, min: number, max: number) {
  const message = `${name} must be a whole number from ${min} to ${max}`;
  return z.int({ error: message }).min(min, message).max(max, message);
}

import * as z from 'zod';
import { MAX_TASK_ID_CHARS } from '../../core/mail/mailbox.ts';

export interface TextField {
  readonly name: string;
  readonly maxChars: number;
}

export function textField({ name, maxChars }: TextField) {
  return z
    .string({ error: `${name} must be a string` })
    .trim()
    .max(maxChars, `${name} must have at most ${maxChars} characters`);
}

export function requiredTextField({ name, maxChars }: TextField) {
  return z
    .string({
      error: (issue) =>
        issue.input === undefined ? `${name} is required` : `${name} must be a string`,
    })
    .trim()
    .min(1, `${name} must not be empty`)
    .max(maxChars, `${name} must have at most ${maxChars} characters`);
}

export function taskIdField(description: string) {
  return textField({ name: 'task_id', maxChars: MAX_TASK_ID_CHARS }).describe(description);
}

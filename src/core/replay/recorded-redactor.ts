import type { Redactor } from '../redact/redact.ts';
import type { Tape } from './tape.ts';

/**
 * What is on record was redacted then, and each event tells where. The text can't: a model may have written the very mark
 * of a redaction itself.
 */
export function createRecordedRedactor(tape: Tape): Redactor {
  return {
    redact: (value, path) => ({ value, paths: isEvent(path) ? pathsOf(tape) : findHidden(tape) }),
    redactText: (text) => text,
  };
}

function isEvent(path: string): boolean {
  return path === 'payload';
}

/** Events are sealed in the order in which they are on record. */
function pathsOf(tape: Tape): readonly string[] {
  return tape.next()?.redactions ?? [];
}

/** A person is asked about a call only when nothing of it had to be hidden. */
function findHidden(tape: Tape): readonly string[] {
  const next = tape.next();
  return next === undefined || next.payload['decision'] === 'ask' ? [] : ['input'];
}

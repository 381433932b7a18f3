import { UNSUPPORTED } from '../../core/completions/assert-follows-manner.ts';
import { RuntimeError } from '../../core/errors.ts';

export function invalid(field: string, problem: string): RuntimeError {
  return new RuntimeError('invalid_input', `${field} ${problem}`, { details: { field } });
}

export function unsupported(field: string, problem: string): RuntimeError {
  return new RuntimeError('invalid_input', `${field} ${problem}`, {
    details: { field, reason: UNSUPPORTED },
  });
}

type Used = (value: unknown) => boolean;

/** A field that would change the answer, when it says something, and can't be served; and what to do instead. */
export type UnservedFields = Readonly<Record<string, readonly [isUsed: Used, problem: string]>>;

export const isSet: Used = (value) =>
  value !== undefined && value !== null && value !== false && value !== 0;
export const isFilled: Used = (value) =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** What is not in the table is tolerated: it changes nothing, or nobody knows what it means. */
export function refuseUnserved(body: object, unserved: UnservedFields): void {
  for (const [field, [isUsed, problem]] of Object.entries(unserved)) {
    if (isUsed((body as Record<string, unknown>)[field])) throw unsupported(field, problem);
  }
}

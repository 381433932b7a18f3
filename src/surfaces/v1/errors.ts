import { DOTTED_ERRORS, encodeDottedError } from '../http/answers/dotted-errors.ts';

/** `/v1` has no words of its own for errors: it shares the table with `/api/admin`. */
export const V1_ERRORS = DOTTED_ERRORS;
export const encodeV1Error = encodeDottedError;

import { RuntimeError } from '../errors.ts';
import { MAX_PARCEL_BYTES } from './parcel-format.ts';

const NEXT = 'get it again from whoever exported it';

/** It is not what its signer signed, or nobody could have exported it. */
export function unfit(reason: string, cause?: unknown): RuntimeError {
  return new RuntimeError('unprocessable', `the parcel can't be taken: ${reason}`, {
    cause,
    details: { hint: NEXT },
  });
}

export function tooLarge(what: string): RuntimeError {
  return new RuntimeError('payload_too_large', `a parcel may have at most ${what}`);
}

export const tooManyBytes = (): RuntimeError => tooLarge(`${MAX_PARCEL_BYTES / (1024 * 1024)} MiB`);

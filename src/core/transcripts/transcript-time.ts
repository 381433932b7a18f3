/** The last moment whose year has four digits: no later one can be written as a timestamp. */
export const MAX_TIME_MS = 253_402_300_799_999;

export function isTimeMs(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TIME_MS;
}

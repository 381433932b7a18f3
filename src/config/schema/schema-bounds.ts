import { z } from 'zod';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const MIB = 1024 * 1024;

/** Every number of the config has both bounds. */
export const whole = (min: number, max: number) => z.int().min(min).max(max);

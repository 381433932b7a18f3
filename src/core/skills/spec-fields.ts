import * as z from 'zod';

/** Fields that specs of tools and of skills have in common. */
export const SPEC_ID_PATTERN = /^[A-Za-z0-9._:-]{3,128}$/;
export const MAX_SPEC_VERSION = 2_147_483_647;

export const specId = z
  .string()
  .regex(SPEC_ID_PATTERN, 'must be 3 to 128 letters, digits, dots, colons, dashes or underscores');
export const specVersion = z.int().min(1).max(MAX_SPEC_VERSION);
export const specName = z.string().trim().min(1).max(160);
export const anyObject = z.looseObject({});

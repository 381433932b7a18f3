import { z } from 'zod';

/** What the routes at the root answer. */
export const health = z.object({ ok: z.literal(true) });

export const welcome = z.object({
  service: z.string(),
  dashboard: z.string(),
  docs: z.string(),
  openapi: z.string(),
  health: z.string(),
  api: z.string(),
  sign_in: z.string(),
});

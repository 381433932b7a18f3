import { z } from 'zod';

/** Section of the config about agents. */
export const agents = z
  .strictObject({
    require_global_memory_approval: z
      .boolean()
      .default(false)
      .describe(
        'Giving an agent memory of everybody needs the header x-clawos-global-memory-approved: true.',
      ),
  })
  .prefault({});

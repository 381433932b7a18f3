import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { ShadowReportStore } from '../../core/reliability/shadow-tally.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { replaceFile } from '../../platform/replace-file.ts';

const count = z.int().min(0);

const reportSchema = z.object({
  sinceMs: z.number().optional(),
  tools: z.array(
    z.object({
      toolId: z.string(),
      counts: z.object({
        would_refuse_input: count,
        would_replay: count,
        would_wait: count,
        would_conflict: count,
        would_cut_off: count,
        would_retry: count,
        would_time_out: count,
      }),
      lastAtMs: z.number(),
    }),
  ),
});

/** The shadow report in one JSON file, replaced as a whole. */
export function openShadowReportFile(path: string): ShadowReportStore {
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if (errnoOf(error) === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      const parsed = reportSchema.safeParse(parseJson(text));
      // Counts are advice: a file that cannot be read is begun anew.
      if (!parsed.success) return undefined;
      return { sinceMs: parsed.data.sinceMs, tools: parsed.data.tools };
    },

    async write(report) {
      await replaceFile(path, JSON.stringify(report));
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

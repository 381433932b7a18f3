import * as z from 'zod';
import { type Clock, toIso } from '../../core/clock.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';

interface Now {
  readonly rfc3339: string;
  readonly unix: number;
}

export function createTimeTool(clock: Clock): Tool {
  return defineTool<Record<string, never>, Now>({
    name: 'time.now',
    description:
      'The current time in UTC, as RFC 3339 text and as seconds since 1970. Takes no arguments.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/time/time-now.ts',
    input: z.strictObject({}),
    summarize: (_, now) => JSON.stringify(now),

    async execute() {
      const unix = Math.floor(clock.nowMs() / 1000);
      return { rfc3339: toIso(unix * 1000).replace('.000Z', 'Z'), unix };
    },
  });
}

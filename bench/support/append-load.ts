import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openTempDir } from './temp-dir.ts';

/** Something that makes an event durable before it resolves. */
export interface AppendTarget {
  /** How much of an event's bytes is its payload; the rest is what else the target stores of what it is given. */
  readonly payloadBytes: number;
  append(run: number, payload: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface AppendLoad {
  readonly open: (dir: string) => Promise<AppendTarget>;
  readonly writers: number;
  readonly durationMs: number;
  /** Latencies in milliseconds are added here. */
  readonly latenciesMs: number[];
  /** The event loop's delays over its 1 ms timer, in milliseconds: the 99th percentile is added here. */
  readonly stallsMs: number[];
}

export const RUNS = 32;
/** What a caller hands over: id, type, actor, payload. */
export const EVENT_BYTES = 300;
const TIMER_MS = 1;

/** A payload of JSON as models stream it: words, so that redaction has something to read. */
function createPayload(bytes: number): string {
  const words =
    'The report lists each file that changed, with the reason and the test that shows it. ';
  const wrapping = '{"text":"","turn":1}'.length;
  const text = words.repeat(4).slice(0, bytes - wrapping);
  return `{"text":"${text}","turn":1}`;
}

/** Writers that each wait for their own event before they send the next, on a fresh store. Answers events per second. */
export async function loadAppends(load: AppendLoad): Promise<number> {
  const dir = openTempDir();
  const target = await load.open(dir.path);
  const payload = createPayload(target.payloadBytes);
  const delays = monitorEventLoopDelay({ resolution: TIMER_MS });
  try {
    delays.enable();
    const startedAt = performance.now();
    const endsAt = startedAt + load.durationMs;
    let events = 0;
    async function write(run: number): Promise<void> {
      for (let now = performance.now(); now < endsAt; ) {
        await target.append(run, payload);
        const ended = performance.now();
        load.latenciesMs.push(ended - now);
        events += 1;
        now = ended;
      }
    }
    await Promise.all(Array.from({ length: load.writers }, (_, index) => write(index % RUNS)));
    const seconds = (performance.now() - startedAt) / 1000;
    delays.disable();
    load.stallsMs.push(Math.max(0, delays.percentile(99) / 1e6 - TIMER_MS));
    return events / seconds;
  } finally {
    await target.close();
    dir.remove();
  }
}

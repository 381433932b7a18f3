import { join } from 'node:path';
import type { Event } from '../../../src/core/events/event.ts';
import type { RunId } from '../../../src/core/ids.ts';
import { silentLogger } from '../../../src/core/log.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { encodeStreamFrames } from '../../../src/surfaces/internal/stream-frames.ts';
import { createRandom } from '../torture/random.ts';
import { createServerLives, type ServerLives } from '../torture/server-lives.ts';
import { type CutTally, type ReadFrame, readWithCuts } from './cut-reader.ts';
import type { StreamTorture } from './stream-settings.ts';
import { prepareStreamRoot, startThreadRun } from './thread-run.ts';

export interface StreamReport {
  readonly events: number;
  readonly passes: number;
  readonly tally: CutTally;
  readonly recoveries: number;
  /** Readers whose frames are not the log, each with the first difference. */
  readonly violations: readonly string[];
}

const PAGE = 500;

/** Readers that lose their connections all the time, on a run whose server is killed meanwhile. */
export async function tortureStreams(root: string, torture: StreamTorture): Promise<StreamReport> {
  const lives = createServerLives({ root, env: await prepareStreamRoot(root) });
  let server = await lives.start();
  const runId = await startThreadRun(await lives.url());
  const tally: CutTally = { target: torture.cuts, cuts: 0, midFrame: 0, lost: 0 };
  const seen = createSeenSeq();

  const passes = Promise.all(
    Array.from({ length: torture.readers }, async (_, index) => {
      const random = createRandom(torture.seed + index);
      const received: ReadFrame[][] = [];
      // Again from the start until all together have been cut often enough; the last time without.
      do {
        received.push(await readWithCuts({ lives, runId, random, tally, onEvent: seen.add }));
      } while (tally.cuts < tally.target);
      return received;
    }),
  );
  const isOver = passes.then(() => {});
  server = await killNowAndThen(lives, server, { kills: torture.kills, seen, isOver });
  const received = (await passes).flat();
  const how = await server.stop();

  const events = await readLog(root, runId as RunId);
  const expected = events.map((event) => encodeStreamFrames(event).split('\n\n')[0] ?? '');
  const violations = received.flatMap((frames, pass) => compare(frames, expected, pass));
  if (how !== 'code 0') violations.push(`the last server ended with ${how}`);
  const recoveries = events.filter(({ type }) => type === 'run.recovered').length;
  return { events: events.length, passes: received.length, tally, recoveries, violations };
}

/** The furthest event that any reader got to, and a wait for it. */
function createSeenSeq() {
  let furthest = 0;
  const waiting = new Set<{ readonly seq: number; readonly resolve: () => void }>();
  return {
    add(seq: number): void {
      furthest = Math.max(furthest, seq);
      for (const wait of waiting) {
        if (furthest < wait.seq) continue;
        waiting.delete(wait);
        wait.resolve();
      }
    },
    until: (seq: number): Promise<void> =>
      furthest >= seq ? Promise.resolve() : new Promise((resolve) => waiting.add({ seq, resolve })),
  };
}

/** Fewer than a run has between two of its tool calls at the least, so that every kill meets it running. */
const EVENTS_BETWEEN_KILLS = 60;

interface KillPlan {
  readonly kills: number;
  readonly seen: ReturnType<typeof createSeenSeq>;
  /** A run that ends sooner than planned must not be waited for. */
  readonly isOver: Promise<void>;
}

async function killNowAndThen(
  lives: ServerLives,
  first: Awaited<ReturnType<ServerLives['start']>>,
  plan: KillPlan,
) {
  let server = first;
  for (let kill = 1; kill <= plan.kills; kill += 1) {
    await Promise.race([plan.seen.until(kill * EVENTS_BETWEEN_KILLS), plan.isOver]);
    await server.kill();
    server = await lives.start();
  }
  return server;
}

async function readLog(root: string, runId: RunId): Promise<Event[]> {
  const storage = await openSqliteStorage({
    file: join(root, '.openclawssy/pincer.db'),
    writer: 'inline',
    readOnly: true,
    logger: silentLogger,
  });
  try {
    const events: Event[] = [];
    for (;;) {
      const page = await storage.events.read(runId, { after: events.length, limit: PAGE });
      events.push(...page);
      if (page.length < PAGE) return events;
    }
  } finally {
    await storage.close();
  }
}

function compare(
  frames: readonly ReadFrame[],
  expected: readonly string[],
  pass: number,
): string[] {
  const received = frames.map(({ id, data }) => `event: message\nid: ${id}\ndata: ${data}`);
  const at = received.findIndex((frame, index) => frame !== expected[index]);
  if (at === -1 && received.length === expected.length) return [];
  const place = at === -1 ? received.length : at;
  return [
    `pass ${pass}: ${received.length} of ${expected.length} frames; at ${place} received ` +
      `${JSON.stringify(received[place])}, the log has ${JSON.stringify(expected[place])}`,
  ];
}

export function describeStreams(report: StreamReport, seed: number): string {
  const { tally } = report;
  return (
    `${tally.cuts} cuts (${tally.midFrame} inside a frame), ${tally.lost} connections lost with their server, ` +
    `${report.recoveries} recoveries; ${report.passes} readers got all ${report.events} events; seed ${seed}`
  );
}

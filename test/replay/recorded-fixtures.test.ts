import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/events/event.ts';
import { verifyChain } from '../../src/core/events/hash-chain.ts';
import { createRecording } from '../../src/core/replay/recording.ts';
import { replayRecording } from '../../src/core/replay/replay-recording.ts';
import type { Run } from '../../src/core/runs/run.ts';
import type { SessionMessage } from '../../src/core/sessions/session.ts';
import { VERSION } from '../../src/version.ts';
import { recordRuns } from './record-runs.ts';
import { openRecordingRig, type RecordingRig } from './recording-rig.ts';

/** A run as a release recorded it, with what was said in its conversation before. */
interface Kept {
  readonly run: Run;
  readonly log: readonly Event[];
  readonly messages: readonly SessionMessage[];
}

const FOLDER = new URL('../fixtures/recorded-runs/', import.meta.url);

/** One file for each release. `RECORD_RUNS=1` adds that of this one; those of others are never written again. */
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

test.each(files)('%s still goes the same way', async (name) => {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').trim().split('\n');
  const kept = lines.map((line) => JSON.parse(line) as Kept);

  const replays = await Promise.all(
    kept.map(async ({ run, log, messages }) => ({
      run: run.id,
      ...(await replayRecording({ sessions: toSessions(messages) }, createRecording(run, log))),
    })),
  );

  expect(replays.filter(({ divergence }) => divergence !== undefined)).toEqual([]);
  expect(kept.map(({ log }) => verifyChain(log).ok)).toEqual(kept.map(() => true));
  expect(kept.length).toBeGreaterThanOrEqual(24);
});

const record = process.env['RECORD_RUNS'] === '1' ? test : undefined;

record?.('records runs of this release', async () => {
  const rig = await openRecordingRig();
  try {
    await recordRuns(rig, 100, 7);
    const kept = pickKinds(await rig.listEnded());
    const lines = await Promise.all(kept.map(async (run) => JSON.stringify(await keep(rig, run))));
    await mkdir(FOLDER, { recursive: true });
    await writeFile(new URL(`${VERSION}.jsonl`, FOLDER), `${lines.join('\n')}\n`);
  } finally {
    await rig.close();
  }
});

/** Two of each way to end, in each kind of run. */
function pickKinds(runs: readonly Run[]): Run[] {
  const counts = new Map<string, number>();
  return runs.filter(({ stopReason, source, thread, sessionId, forkedFrom, message }) => {
    const [, plan = ''] = /^plan (\w+)|^\/tool (\S+)/.exec(message) ?? [];
    const where = [thread && 'thread', !thread && sessionId && 'session', forkedFrom && 'fork'];
    const kind = [stopReason, source, plan, ...where].join(' ');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= 1;
  });
}

async function keep({ runtime: { storage } }: RecordingRig, run: Run): Promise<Kept> {
  const log = await storage.events.read(run.id, { after: 0, limit: 1_000 });
  const { sessionId, exchange } = run;
  if (sessionId === undefined || exchange === undefined) return { run, log, messages: [] };
  const before = { exchange, position: 0 };
  const messages = await storage.sessions.readMessages(sessionId, { limit: 200, before });
  return { run, log, messages };
}

/** The newest page before a place, as a store answers. */
function toSessions(messages: readonly SessionMessage[]) {
  return {
    async readMessages(
      _id: unknown,
      { limit, before }: { limit: number; before?: { exchange: number; position: number } },
    ) {
      const known = messages.filter(
        ({ exchange, position }) =>
          !before ||
          exchange < before.exchange ||
          (exchange === before.exchange && position < before.position),
      );
      return known.slice(-limit);
    },
  };
}

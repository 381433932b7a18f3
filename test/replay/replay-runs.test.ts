import { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { readCount } from '../support/read-count.ts';
import { recordRuns } from './record-runs.ts';
import { openRecordingRig, type RecordingRig } from './recording-rig.ts';

/** Every kind several times. */
const RUNS = readCount('PINCER_TORTURE_REPLAYS') ?? 300;
const SEED = 20;

const open: RecordingRig[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()));
});

test(`${RUNS} runs of all kinds go the same way again, with the network off`, {
  timeout: 480_000,
}, async () => {
  const rig = await openRecordingRig();
  open.push(rig);
  await recordRuns(rig, RUNS, SEED);
  const runs = await rig.listEnded();
  const before = await snapshot(rig);
  const off = () => {
    throw new Error('the network is off');
  };
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(off);

  const different: unknown[] = [];
  let matched = 0;
  for (const run of runs) {
    const replay = await rig.runtime.replays.replay(run.id);
    matched += replay.matched;
    if (replay.divergence) different.push({ run: run.id, message: run.message, ...replay });
  }

  expect(different).toEqual([]);
  expect(runs.length).toBeGreaterThanOrEqual(RUNS);
  expect(matched).toBeGreaterThan(5 * RUNS);
  expect(await snapshot(rig)).toEqual(before);
  expect(countKinds(runs)).toMatchObject({
    completed: expect.any(Number),
    failed: expect.any(Number),
    cancelled: expect.any(Number),
    max_turns_reached: expect.any(Number),
    needs_guidance: expect.any(Number),
    loop_detected: expect.any(Number),
    length: expect.any(Number),
    content_filter: expect.any(Number),
  });
});

/** What a replay must leave as it was. */
async function snapshot({ runtime: { storage, effects } }: RecordingRig) {
  // Not their revision: how often they were recalled before is written down in the background.
  const { memories } = await storage.memories.head();
  const { effects: newest } = await effects.list({ limit: 200 });
  return { counts: await storage.runs.countByStatus(), memories, newest };
}

function countKinds(runs: Awaited<ReturnType<RecordingRig['listEnded']>>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { stopReason = 'none' } of runs) counts[stopReason] = (counts[stopReason] ?? 0) + 1;
  return counts;
}

import type { RunId } from '../../src/core/ids.ts';
import type { Principal } from '../../src/core/principal.ts';
import type { RecordingRig } from './recording-rig.ts';
import type { PlanKind } from './seeded-model.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

const KINDS: readonly PlanKind[] = [
  'mixed',
  'mixed',
  'mixed',
  'files',
  'memory',
  'handoff',
  'failing',
  'circling',
  'endless',
  'asking',
  'flaky',
  'refused',
  'stopped',
];

/** At least so many runs of all kinds, of which most are made side by side. */
export async function recordRuns(rig: RecordingRig, count: number, seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  await recordTakenOver(rig, random, Math.ceil(count / 25));
  await recordSessions(rig, random, Math.ceil(count / 50));
  await recordCancelled(rig, random, Math.ceil(count / 25));
  await recordThreads(rig, random, Math.ceil(count / 12));
  await recordSteered(rig, random, Math.ceil(count / 12));
  await recordForks(rig, random, Math.ceil(count / 20));
  const left = count - (await rig.listEnded()).length;
  for (let index = 0; index < left; index += 1) {
    const model = random.pick([undefined, undefined, undefined, 'seeded/text', 'missing/model']);
    const message = index % 20 === 0 ? planDirect(random) : undefined;
    await rig.submit(random.pick(KINDS), random.below(100_000), {
      ...(model !== undefined && { model }),
      ...(message !== undefined && { message }),
    });
    if (index % 200 === 199) await rig.settle();
  }
  await rig.settle();
  await untilQuiet(rig);
}

/** Runs that others began, as by handing work over, come to their ends or questions too. */
async function untilQuiet({ runtime: { storage } }: RecordingRig): Promise<void> {
  await until(async () => {
    const { running, queued, cancelling } = await storage.runs.countByStatus();
    return running + queued + cancelling === 0;
  });
}

function planDirect(random: SeededRandom): string {
  return random.pick([
    '/tool test.look {"at": "once"}',
    '/tool test.note {}',
    '/tool test.fail {"way": 1}',
    '/tool test.send {"to": "ada"}',
    '/tool no.such {}',
    '/tool test.look not json',
  ]);
}

/** Somebody else takes runs over whose calls are under way, some of them twice. */
async function recordTakenOver(rig: RecordingRig, random: SeededRandom, count: number) {
  const { runner } = rig.runtime;
  for (let index = 0; index < count; index += 1) await rig.submit('gated', random.below(100_000));
  const places = Math.min(count, 24);
  await until(() => rig.waitingAtGate >= places);
  for (let time = 1; time <= 2; time += 1) {
    const before = rig.waitingAtGate;
    await rig.runtime.storage.runs.takeOver('server:');
    rig.runtime.runner.takeQueue();
    // Whoever had them waits still; those who took them make the calls that may be made again.
    if (time === 1) await until(() => rig.waitingAtGate > before || runner.activeCount > 0);
  }
  rig.openGate();
  await rig.settle();
}

async function recordSessions(rig: RecordingRig, random: SeededRandom, count: number) {
  const { sessions } = rig.runtime;
  for (let index = 0; index < Math.ceil(count / 10); index += 1) {
    const place = {
      channel: 'http',
      userId: `user ${index}`,
      roomId: 'replay',
      agentId: 'agent_default' as never,
    };
    const { session } = await sessions.open(place);
    for (let turn = 0; turn < 14; turn += 1) {
      // Long enough for the beginning of the conversation to be told by a summary soon.
      const seed = random.below(100_000);
      const message = `plan mixed ${seed} ${'and so on '.repeat(90)}`;
      await rig.submit('mixed', seed, { sessionId: session.id, message });
    }
    await rig.settle();
    await sessions.compact(session.id);
    await rig.submit('files', random.below(100_000), { sessionId: session.id });
    await rig.settle();
  }
}

async function recordCancelled(rig: RecordingRig, random: SeededRandom, count: number) {
  const { runs } = rig.runtime;
  const kinds = ['hanging_tool', 'hanging_model', 'asking', 'mixed'] as const;
  for (let index = 0; index < count; index += 1) {
    const runId = await rig.submit(random.pick(kinds), random.below(100_000));
    if (index % 4 !== 0) {
      const after = 1 + random.below(8);
      await until(async () => (await runs.get(runId)).lastSeq >= after, 500);
    }
    await runs.cancel({ runId, reason: 'enough', actor: 'user' });
  }
  await rig.settle();
}

/** Somebody writes to runs under way, at any moment; some have ended by then. */
async function recordSteered(rig: RecordingRig, random: SeededRandom, count: number) {
  const { runs } = rig.runtime;
  for (let index = 0; index < count; index += 1) {
    const runId = await rig.submit(random.pick(KINDS), random.below(100_000));
    for (let time = 0; time < 2; time += 1) {
      const after = 1 + random.below(12);
      await until(async () => (await runs.get(runId)).lastSeq >= after, 100);
      const message = `plan mixed ${random.below(100_000)}`;
      await runs.steer({ runId, message }).catch(() => {});
    }
  }
  await rig.settle();
}

const PRINCIPAL: Principal = { kind: 'user', id: 7 };

async function recordThreads(rig: RecordingRig, random: SeededRandom, count: number) {
  for (let from = 0; from < count; from += 10) {
    const batch = Array.from({ length: Math.min(10, count - from) }, (_, index) =>
      recordThread(rig, createSeededRandom(random.below(100_000)), from + index),
    );
    await Promise.all(batch);
  }
}

const CLIENT_TOOLS = [{ name: 'client.pick', description: 'picks', inputSchema: {} }];

async function recordThread(rig: RecordingRig, random: SeededRandom, no: number): Promise<void> {
  const { threads, runs } = rig.runtime;
  const threadId = `thread_${no}`;
  const autoFinish = random.isTrue(0.3);
  const create = { threadId, principal: PRINCIPAL, autoFinish, clientTools: CLIENT_TOOLS };
  const { run } = await threads.create(create);
  let frames = 0;
  const send = (type: string, payload: Record<string, string | boolean> = {}) => {
    frames += 1;
    const frameId = `frm_${frames}`;
    return threads.accept({
      runId: run.id,
      threadId,
      principal: PRINCIPAL,
      frameId,
      type,
      payload,
    });
  };
  const isOver = async () => (await runs.get(run.id)).endedAtMs !== undefined;
  for (let turn = 0; turn < 1 + random.below(4) && !(await isOver()); turn += 1) {
    const kind = random.pick(['mixed', 'client', 'files', 'client'] as const);
    await send('user_message', { text: `plan ${kind} ${random.below(100_000)}` });
    if (random.isTrue(0.4)) await send('user_message', { text: `plan mixed ${turn}` });
    if (random.isTrue(0.2)) await send('note', { about: 'nothing' });
    if (random.isTrue(0.2)) await send('user_message', { text: ' ' });
    if (random.isTrue(0.8)) await awaitRest(rig, run.id);
    const answer = { output: 'pearl', ok: random.isTrue(0.7) };
    const callId = random.isTrue(0.8) ? await findClientCall(rig, run.id) : undefined;
    if (callId !== undefined) await send('tool_result', { tool_call_id: callId, ...answer });
    if (random.isTrue(0.2)) await send('tool_result', { tool_call_id: 'nobody asked' });
    if (random.isTrue(0.7)) await awaitRest(rig, run.id);
  }
  await send(random.pick(['finish', 'cancel', 'fail']), { reason: 'that is all' });
  await until(isOver);
}

async function findClientCall({ runtime: { storage } }: RecordingRig, runId: RunId) {
  const events = await storage.events.read(runId, { after: 0, limit: 1_000 });
  const asked = events.findLast(({ payload }) => payload['executed_by'] === 'client');
  return asked && String(asked.payload['tool_call_id']);
}

async function awaitRest({ runtime: { runs } }: RecordingRig, runId: RunId): Promise<void> {
  await until(async () => {
    const { status } = await runs.get(runId);
    return status !== 'running' && status !== 'queued';
  });
}

/** Some that ended go on from one of their events. */
async function recordForks(rig: RecordingRig, random: SeededRandom, count: number) {
  const ended = await rig.listEnded();
  for (let index = 0; index < count; index += 1) {
    const run = random.pick(ended);
    const atSeq = 1 + random.below(run.lastSeq);
    const request = { runId: run.id, atSeq, source: 'test', message: `plan mixed ${index}` };
    // Not every event can be gone on from; the next of these can.
    await rig.runtime.forks.fork(request).catch(() => {});
  }
  await untilQuiet(rig);
}

const POLL_MS = 5;
const MAX_WAIT_MS = 120_000;

/** Polls, and gives up without a fault where a moment is only hoped for. */
async function until(check: () => boolean | Promise<boolean>, hopedForMs?: number): Promise<void> {
  const deadline = Date.now() + (hopedForMs ?? MAX_WAIT_MS);
  while (!(await check())) {
    if (Date.now() > deadline) {
      if (hopedForMs !== undefined) return;
      throw new Error('it did not come to pass in time');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

import { describe, expect, test } from 'vitest';
import type { AgentId, RunId } from '../../../src/core/ids.ts';
import { MAX_SEARCHED_RUNS, type RunSearch } from '../../../src/core/runs/run-store.ts';
import {
  COMPLETED,
  cancelDrafts,
  claimOnly,
  createRun,
  finishRun,
  type OpenStorage,
  openRig,
  type Rig,
} from '../harness.ts';

const OTHER_AGENT = 'agent_other' as AgentId;

/** Six runs, a millisecond apart: a and b cancelled, c completed, d running, e and f queued. */
async function fill(rig: Rig): Promise<number> {
  const { runs, clock } = rig;
  const startMs = clock.nowMs();
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await createRun(runs, {
      id: `run_${id}` as RunId,
      message: `message ${id.toUpperCase()}`,
      source: 'ace'.includes(id) ? 'chat' : 'http',
      ...('abc'.includes(id) ? {} : { agentId: OTHER_AGENT }),
    });
    clock.advance(1);
  }
  await runs.requestCancel('run_a' as RunId, cancelDrafts());
  await runs.requestCancel('run_b' as RunId, cancelDrafts());
  const { lease } = await claimOnly(runs, 'run_c' as RunId);
  await finishRun(runs, lease, { ...COMPLETED, output: '100% sure\n"so"' });
  await claimOnly(runs, 'run_d' as RunId);
  return startMs;
}

async function find(rig: Rig, search: Omit<RunSearch, 'limit'>, limit = 10): Promise<string[]> {
  const pages: string[] = [];
  let before: RunId | undefined;
  for (let turn = 0; turn < 20; turn += 1) {
    const page = await rig.runs.search({ ...search, limit, ...(before ? { before } : {}) });
    pages.push(page.runs.map(({ id }) => id.replace('run_', '')).join(''));
    before = page.next;
    if (before === undefined) return pages;
  }
  throw new Error('the pages do not end');
}

export function describeRunSearch(engine: string, open: OpenStorage): void {
  describe(`RunStore.search on ${engine}`, () => {
    test('finds runs of several statuses, newest first, page by page', async () => {
      const rig = await openRig(open);
      await fill(rig);

      expect(await find(rig, { statuses: ['cancelled', 'queued', 'running'] })).toEqual(['fedba']);
      expect(await find(rig, { statuses: ['cancelled', 'queued'] }, 2)).toEqual(['fe', 'ba']);
      expect(await find(rig, { statuses: ['cancelled', 'queued'], agentId: OTHER_AGENT })).toEqual([
        'fe',
      ]);
      expect(await find(rig, { statuses: ['failed', 'waiting'] })).toEqual(['']);
      expect(await find(rig, { status: 'queued', untilMs: Number.MAX_SAFE_INTEGER })).toEqual([
        'fe',
      ]);
    });

    test('finds runs by when they were created', async () => {
      const rig = await openRig(open);
      const startMs = await fill(rig);

      expect(await find(rig, { sinceMs: startMs + 4 })).toEqual(['fe']);
      expect(await find(rig, { untilMs: startMs + 2 }, 1)).toEqual(['b', 'a']);
      expect(await find(rig, { sinceMs: startMs + 1, untilMs: startMs + 4 }, 2)).toEqual([
        'dc',
        'b',
      ]);
    });

    test('finds runs by where they came from and by what they say', async () => {
      const rig = await openRig(open);
      await fill(rig);

      expect(await find(rig, { source: 'chat' })).toEqual(['eca']);
      expect(await find(rig, { source: 'chat' }, 2)).toEqual(['ec', 'a']);
      expect(await find(rig, { source: 'mail' })).toEqual(['']);
      expect(await find(rig, { text: 'MESSAGE b' })).toEqual(['b']);
      expect(await find(rig, { text: '100% Sure\n"' })).toEqual(['c']);
      expect(await find(rig, { text: '100_' })).toEqual(['']);
      // As it is stored: the end of the line is a letter there.
      expect(await find(rig, { text: 'suren' })).toEqual(['']);
      expect(await find(rig, { text: 'message', source: 'http', statuses: ['queued'] })).toEqual([
        'f',
      ]);
    });

    test('leads on when nothing is found among as many as are looked at', async () => {
      const rig = await openRig(open);
      const oldest = await createRun(rig.runs, { message: 'a needle' });
      rig.clock.advance(1);
      const others = Array.from({ length: MAX_SEARCHED_RUNS }, () => createRun(rig.runs));
      await Promise.all(others);

      const first = await rig.runs.search({ text: 'needle', limit: 10 });
      const second = await rig.runs.search({ text: 'needle', limit: 10, before: first.next! });

      expect(first.runs).toEqual([]);
      expect([second.runs, second.next]).toEqual([[oldest], undefined]);
    });

    test('refuses a cursor that is no run', async () => {
      const { runs } = await openRig(open);

      const search = runs.search({ text: 'x', limit: 1, before: 'run_none' as RunId });

      await expect(search).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });
}

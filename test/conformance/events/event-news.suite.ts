import { describe, expect, test, vi } from 'vitest';
import type { NewsEvent } from '../../../src/core/events/event.ts';
import type { RunId } from '../../../src/core/ids.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { claimNewRun, delta, draft, finishRun, type OpenStorage, openRig } from '../harness.ts';

/** An event as everybody who follows sees it: without the links of its chain. */
const facts = ({ id, runId, agentId, seq, type, atMs, actor, payload, redactions }: NewsEvent) => ({
  ...{ id, runId, agentId, seq, type, atMs, actor, payload, redactions },
});

async function assertSame({ events, news }: Storage, runId: RunId): Promise<void> {
  for (const after of [0, 1, 2, 5, 100]) {
    for (const limit of [1, 100]) {
      const seen = await news.read(runId, { after, limit });
      expect(seen.map(facts)).toEqual((await events.read(runId, { after, limit })).map(facts));
    }
  }
}

export function describeEventNews(engine: string, open: OpenStorage): void {
  describe(`EventNews on ${engine}`, () => {
    test('whoever follows sees what the log holds, from its first event to its last', async () => {
      const { storage, runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await assertSame(storage, run.id);

      await runs.append(lease, [delta('one'), delta('two')]);
      await assertSame(storage, run.id);
      await runs.note(run.id, [draft('agent.noted', { text: 'from outside' })]);
      await assertSame(storage, run.id);
      await runs.append(lease, [delta('three')]);
      await assertSame(storage, run.id);

      await finishRun(runs, lease);
      await assertSame(storage, run.id);
      expect(storage.news.isOpen(run.id)).toBe(false);
    });

    test('what another process writes is seen, and in its place', async () => {
      const { storage, runs, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { run, lease } = await claimNewRun(runs);
      await runs.append(lease, [delta('ours')]);

      await beside.runs.note(run.id, [draft('agent.noted', { text: 'theirs' })]);
      await vi.waitFor(() => assertSame(storage, run.id), { timeout: 5_000 });
      await beside.runs.note(run.id, [draft('agent.noted', { text: 'theirs again' })]);
      await runs.append(lease, [delta('ours again')]);

      await assertSame(storage, run.id);
      expect(await storage.news.read(run.id, { after: 0, limit: 100 })).toHaveLength(6);
    });

    test('a run that nobody knows has no news and is not open', async () => {
      const { storage } = await openRig(open);
      const unknown = 'run_unknown' as RunId;

      expect(await storage.news.read(unknown, { after: 0, limit: 10 })).toEqual([]);
      expect(storage.news.isOpen(unknown)).toBe(false);
    });
  });
}

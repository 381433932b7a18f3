import { describe, expect, test } from 'vitest';
import { isTerminalEvent, type SealedDraft } from '../../../src/core/events/event.ts';
import { CHAIN_ROOT, verifyChain } from '../../../src/core/events/hash-chain.ts';
import type { LeaseId, RunId } from '../../../src/core/ids.ts';
import type { RunEnd } from '../../../src/core/runs/run.ts';
import {
  AGENT,
  COMPLETED,
  claimNewRun,
  claimRequest,
  delta,
  draft,
  finishRun,
  type OpenStorage,
  openRig,
  readAll,
} from '../harness.ts';

export function describeAppends(engine: string, open: OpenStorage): void {
  describe(`RunStore appends on ${engine}`, () => {
    test('numbers, dates and chains events', async () => {
      const { runs, events, clock } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      clock.advance(1_000);
      const first = draft('tool.call', { tool: 'fs.read' });
      const second = { ...delta('x'), actor: 'model', redactions: '["payload.text"]' } as const;

      const result = await runs.append(lease, [first, second]);

      expect(result).toEqual({ outcome: 'appended', lastSeq: 4 });
      const log = await readAll(events, run.id);
      expect(log[0]?.prevHash).toBe(CHAIN_ROOT);
      expect(log.slice(2)).toEqual([
        {
          id: first.id,
          runId: run.id,
          agentId: AGENT,
          seq: 3,
          type: 'tool.call',
          atMs: clock.nowMs(),
          actor: 'system',
          payload: { tool: 'fs.read' },
          redactions: [],
          prevHash: log[1]?.hash,
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        {
          id: second.id,
          runId: run.id,
          agentId: AGENT,
          seq: 4,
          type: 'model.delta',
          atMs: clock.nowMs(),
          actor: 'model',
          payload: { text: 'x' },
          redactions: ['payload.text'],
          prevHash: log[2]?.hash,
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ]);
      expect(verifyChain(log)).toEqual({ ok: true, last: { seq: 4, hash: log[3]?.hash } });
      expect(await runs.find(run.id)).toMatchObject({ lastSeq: 4, updatedAtMs: clock.nowMs() });
    });

    test('appends nothing when there is nothing to append', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);

      const result = await runs.append(lease, []);

      expect(result).toEqual({ outcome: 'appended', lastSeq: 2 });
      expect(await readAll(events, run.id)).toHaveLength(2);
    });

    test('refuses to append to a run that does not exist', async () => {
      const { runs } = await openRig(open);
      const lease = { runId: 'run_unknown' as RunId, leaseId: 'lease_1' as LeaseId };

      const result = runs.append(lease, [delta('x')]);

      await expect(result).rejects.toMatchObject({ name: 'RuntimeError', code: 'not_found' });
    });

    test('refuses a lease that is not the one held', async () => {
      const { runs, events } = await openRig(open);
      const { run } = await claimNewRun(runs);
      const stranger = { runId: run.id, leaseId: 'lease_other' as LeaseId };

      const appended = await runs.append(stranger, [delta('x')]);
      const finished = await runs.finish(stranger, [draft('run.completed')], COMPLETED);

      expect(appended).toEqual({ outcome: 'refused', reason: 'lost_lease' });
      expect(finished).toEqual({ outcome: 'refused', reason: 'lost_lease' });
      expect(await readAll(events, run.id)).toHaveLength(2);
    });

    test('finishes a run: last events, row and lease together', async () => {
      const { runs, events, clock } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      clock.advance(250);
      const end: RunEnd = {
        status: 'failed',
        stopReason: 'max_turns_reached',
        output: 'so far',
        error: { code: 'limit_reached', message: '30 turns' },
        totals: { turns: 30, toolCalls: 12, inputTokens: 900, outputTokens: 80, costUsd: null },
      };

      const result = await runs.finish(lease, [delta('so far'), draft('run.failed')], end);

      expect(result).toEqual({ outcome: 'appended', lastSeq: 4 });
      expect(await runs.find(run.id)).toEqual({
        ...run,
        status: 'failed',
        stopReason: 'max_turns_reached',
        output: 'so far',
        error: { code: 'limit_reached', message: '30 turns' },
        totals: { turns: 30, toolCalls: 12, inputTokens: 900, outputTokens: 80, costUsd: null },
        lastSeq: 4,
        updatedAtMs: clock.nowMs(),
        endedAtMs: clock.nowMs(),
      });
      expect((await readAll(events, run.id)).at(-1)?.type).toBe('run.failed');
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('keeps a cost that is a fraction of a cent', async () => {
      const { runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      const totals = { ...COMPLETED.totals, costUsd: 0.000_123_4 };

      await finishRun(runs, lease, { ...COMPLETED, totals });

      expect((await runs.find(run.id))?.totals).toEqual(totals);
    });

    test('refuses a late result once the run is terminal', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await finishRun(runs, lease);

      const late = await runs.append(lease, [delta('late')]);
      const again = await runs.finish(lease, [draft('run.failed')], {
        ...COMPLETED,
        status: 'failed',
      });

      expect(late).toEqual({ outcome: 'refused', reason: 'terminal' });
      expect(again).toEqual({ outcome: 'refused', reason: 'terminal' });
      expect(await readAll(events, run.id)).toHaveLength(3);
      expect((await runs.find(run.id))?.status).toBe('completed');
    });

    test('lets one of many concurrent finishes win', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);

      const results = await Promise.all(
        Array.from({ length: 8 }, () => runs.finish(lease, [draft('run.completed')], COMPLETED)),
      );

      expect(results.filter((result) => result.outcome === 'appended')).toHaveLength(1);
      const log = await readAll(events, run.id);
      expect(log.filter(isTerminalEvent)).toHaveLength(1);
    });

    test('notes which model was asked last', async () => {
      const { runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);

      await runs.append(lease, [
        draft('model.requested', { provider: 'openai', model: 'small' }),
        draft('model.requested', { provider: 'anthropic', model: 'large' }),
        draft('model.completed', { provider: 'none', model: 'none' }),
      ]);

      expect(await runs.find(run.id)).toMatchObject({ provider: 'anthropic', model: 'large' });
    });

    test('notes a model that is asked again after another', async () => {
      const { runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);

      for (const model of ['small', 'small', 'large', 'small']) {
        await runs.append(lease, [draft('model.requested', { provider: 'openai', model })]);
      }

      expect(await runs.find(run.id)).toMatchObject({ provider: 'openai', model: 'small' });
    });

    test('keeps the order of appends that were not awaited', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);

      const appends = Array.from({ length: 200 }, (_, index) =>
        runs.append(lease, [draft('model.delta', { index })]),
      );
      const finish = runs.finish(lease, [draft('run.completed')], COMPLETED);
      const results = await Promise.all([...appends, finish]);

      expect(results).toEqual(
        Array.from({ length: 201 }, (_, index) => ({ outcome: 'appended', lastSeq: index + 3 })),
      );
      const indexes = (await readAll(events, run.id)).map((event) => event.payload['index']);
      expect(indexes.slice(2, -1)).toEqual(Array.from({ length: 200 }, (_, index) => index));
    });

    test('chains 1,000 concurrent appends to 20 runs without a gap', async () => {
      const { runs, events, openBeside } = await openRig(open);
      const beside = await openBeside();
      const held = await Promise.all(Array.from({ length: 20 }, () => claimNewRun(runs)));

      const results = await Promise.all(
        Array.from({ length: 1_000 }, (_, index) => {
          const store = index % 3 === 0 ? beside.runs : runs;
          return store.append(held[index % 20]!.lease, [delta(`${index}`)]);
        }),
      );

      expect(results.every((result) => result.outcome === 'appended')).toBe(true);
      for (const { run } of held) {
        const log = await readAll(events, run.id);
        expect(log.map((event) => event.seq)).toEqual(Array.from({ length: 52 }, (_, i) => i + 1));
        expect(verifyChain(log)).toEqual({ ok: true, last: { seq: 52, hash: log[51]?.hash } });
      }
    });

    test('chains appends that two processes make in turns', async () => {
      const { runs, events, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { run, lease } = await claimNewRun(runs);

      for (let index = 0; index < 10; index += 1) {
        await runs.append(lease, [delta('here')]);
        await beside.runs.append(lease, [delta('there'), delta('there')]);
      }

      const log = await readAll(events, run.id);
      expect(verifyChain(log)).toEqual({ ok: true, last: { seq: 32, hash: log[31]?.hash } });
    });

    test('gives back payloads exactly: large, with NUL, unicode and deep nesting', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      let deep: Record<string, unknown> = { leaf: true };
      for (let level = 0; level < 100; level += 1) deep = { deep };
      const payloads = [
        { text: 'x'.repeat(2_000_000) },
        { text: 'a\u0000b\u0000', key: '\u0001\u001f\u007f' },
        { text: '🦀 漢字 é e\u0301 \u202e \ud83d' },
        { 'key with "quotes"\n': null, numbers: [0, -1, 1.5, 1e300, 2 ** 53], empty: {} },
        deep,
      ] as Parameters<typeof draft>[1][];

      await runs.append(
        lease,
        payloads.map((payload): SealedDraft => draft('model.delta', payload)),
      );

      const log = await readAll(events, run.id);
      expect(log.slice(2).map((event) => event.payload)).toEqual(payloads);
      expect(verifyChain(log).ok).toBe(true);
    });

    test('gives back messages, outputs and faults exactly', async () => {
      const { runs } = await openRig(open);
      const text = 'a\u0000b 🦀 \u202e "quoted"\n\t';
      const { run, lease } = await claimNewRun(runs, 'runner-a', { message: text });

      await finishRun(runs, lease, {
        ...COMPLETED,
        status: 'failed',
        output: text,
        error: { code: 'tool_failed', message: text },
      });

      expect(await runs.find(run.id)).toMatchObject({
        message: text,
        output: text,
        error: { code: 'tool_failed', message: text },
      });
    });

    test('keeps everything acknowledged over a reopen', async () => {
      const { runs, events, reopen } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.append(lease, [delta('before')]);
      const before = await readAll(events, run.id);

      const reopened = await reopen();
      await reopened.runs.append(lease, [delta('after')]);

      const after = await readAll(reopened.events, run.id);
      expect(after.slice(0, 3)).toEqual(before);
      expect(verifyChain(after)).toEqual({ ok: true, last: { seq: 4, hash: after[3]?.hash } });
    });
  });
}

import { describe, expect, test } from 'vitest';
import type { RequestId, RunId } from '../../../src/core/ids.ts';
import type { RunStore } from '../../../src/core/runs/run-store.ts';
import { claimNewRun, type Held, type OpenStorage, openRig } from '../harness.ts';
import { intend, intended, newRequestId, send, settle } from './effect-rig.ts';
import { describeEffectSteps } from './effect-steps.suite.ts';

async function addEffects(runs: RunStore, { lease }: Held, count: number): Promise<RequestId[]> {
  const ids = Array.from({ length: count }, newRequestId);
  for (const id of ids) await runs.append(lease, [], [intend(id)]);
  return ids;
}

const RESOLUTION = { status: 'confirmed', by: 'ada\0 🦀', note: 'seen "on" the\nbill' } as const;

export function describeEffectStore(engine: string, open: OpenStorage): void {
  describeEffectSteps(engine, open);

  describe(`EffectStore on ${engine}`, () => {
    test('is empty at first', async () => {
      const { storage } = await openRig(open);

      expect(await storage.effects.find(newRequestId())).toBeUndefined();
      expect(await storage.effects.list({ limit: 10 })).toEqual({ effects: [], next: undefined });
      expect(await storage.effects.countByStatus()).toEqual({
        intent: 0,
        sent: 0,
        confirmed: 0,
        failed: 0,
        unknown: 0,
      });
    });

    test('keeps any text', async () => {
      const { runs, storage, clock } = await openRig(open);
      const held = await claimNewRun(runs);
      const id = newRequestId();
      const texts = { tool: 'mcp__x\0__\u{1f980}', callId: '\ud800"', key: "k\0'\u2028" };

      await runs.append(held.lease, [], [intend(id, texts)]);

      const expected = { ...intended(id, held, clock.nowMs()), ...texts };
      expect(await storage.effects.find(id)).toEqual(expected);
      const listed = await storage.effects.list({ tool: texts.tool, limit: 10 });
      expect(listed.effects).toEqual([expected]);
    });

    test('lists the newest first, page by page', async () => {
      const { runs, storage } = await openRig(open);
      const ids = await addEffects(runs, await claimNewRun(runs), 5);
      const pages: RequestId[][] = [];

      for (let before: RequestId | undefined, more = true; more; more = before !== undefined) {
        const page = await storage.effects.list({ limit: 2, ...(before && { before }) });
        pages.push(page.effects.map(({ id }) => id));
        before = page.next;
      }

      expect(pages).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
    });

    test('filters by status, run and tool, each and together', async () => {
      const { runs, storage } = await openRig(open);
      const first = await claimNewRun(runs);
      const second = await claimNewRun(runs);
      const [a, b, c] = await addEffects(runs, first, 3);
      const d = newRequestId();
      await runs.append(second.lease, [], [intend(d, { tool: 'fs.write' }), send(d)]);
      await runs.append(first.lease, [], [send(a as RequestId), settle(b as RequestId)]);
      const list = async (filter: object) =>
        (await storage.effects.list({ limit: 10, ...filter })).effects.map(({ id }) => id);

      expect(await list({ status: 'sent' })).toEqual([d, a]);
      expect(await list({ status: 'confirmed' })).toEqual([b]);
      expect(await list({ runId: first.run.id })).toEqual([c, b, a]);
      expect(await list({ tool: 'fs.write' })).toEqual([d]);
      expect(await list({ status: 'sent', runId: first.run.id })).toEqual([a]);
      expect(await list({ status: 'sent', tool: 'fs.write', before: d })).toEqual([]);
      expect(await list({ runId: 'run_unknown\0' as RunId })).toEqual([]);
    });

    test('refuses a cursor that is no effect', async () => {
      const { storage } = await openRig(open);

      const page = storage.effects.list({ limit: 1, before: 'req_unknown' as RequestId });

      await expect(page).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test('counts by status', async () => {
      const { runs, storage } = await openRig(open);
      const held = await claimNewRun(runs);
      const [a, b, c] = (await addEffects(runs, held, 4)) as [RequestId, RequestId, RequestId];

      await runs.append(held.lease, [], [send(a), send(b), settle(b), settle(c, 'unknown')]);

      expect(await storage.effects.countByStatus()).toEqual({
        intent: 1,
        sent: 1,
        confirmed: 1,
        failed: 0,
        unknown: 1,
      });
    });

    test('lets a person settle what is unknown, and remembers who and why', async () => {
      const { runs, storage, reopen, clock } = await openRig(open);
      const held = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(held.lease, [], [intend(id), settle(id, 'unknown')]);
      const createdAtMs = clock.nowMs();
      clock.advance(1_000);

      const result = await storage.effects.resolve(id, RESOLUTION);

      const effect = {
        ...intended(id, held, createdAtMs),
        status: 'confirmed',
        updatedAtMs: clock.nowMs(),
        resolution: { ...RESOLUTION, atMs: clock.nowMs() },
      };
      expect(result).toEqual({ outcome: 'resolved', effect });
      expect(await (await reopen()).effects.find(id)).toEqual(effect);
    });

    test('lets one of many resolutions win', async () => {
      const { runs, storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { lease } = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(lease, [], [intend(id), settle(id, 'unknown')]);

      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).effects.resolve(id, {
            ...RESOLUTION,
            by: `person ${index}`,
          }),
        ),
      );

      const winner = results.findIndex(({ outcome }) => outcome === 'resolved');
      expect(results.filter(({ outcome }) => outcome === 'resolved')).toHaveLength(1);
      expect((await storage.effects.find(id))?.resolution?.by).toBe(`person ${winner}`);
    });

    test('resolves nothing that is not unknown', async () => {
      const { runs, storage } = await openRig(open);
      const { lease } = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(lease, [], [intend(id), send(id)]);
      const effect = await storage.effects.find(id);

      expect(await storage.effects.resolve(id, RESOLUTION)).toEqual({ outcome: 'refused', effect });
      await expect(storage.effects.resolve(newRequestId(), RESOLUTION)).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });
}

import { describe, expect, test } from 'vitest';
import { createIds } from '../../src/core/create-ids.ts';
import type { AgentId, FactId } from '../../src/core/ids.ts';
import type { Fact, FactFilter, NewFact } from '../../src/core/knowledge/fact.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import type { Storage } from '../../src/core/storage.ts';
import { type OpenStorage, openRig } from './harness.ts';

const ids = createIds(() => Date.now());
const QUIET = 'agent_quiet' as AgentId;
const OPEN = 'agent_open' as AgentId;
const EVERYBODY = { owner: OPERATOR, readerId: undefined, isOwnOnly: false, limit: 50 };

function newFact(fields: Partial<NewFact> = {}): NewFact {
  return {
    id: ids.fact(),
    owner: OPERATOR,
    projectId: 'proj_001',
    subject: 'Billing',
    relation: 'runs on',
    object: 'port 1',
    validFromMs: undefined,
    validToMs: undefined,
    source: 'user',
    agentId: undefined,
    isPrivate: false,
    isReplacing: false,
    ...fields,
  };
}

async function add({ facts }: Storage, fields: Partial<NewFact> = {}): Promise<Fact> {
  const added = await facts.add(newFact(fields));
  if (!added) throw new Error('expected it to be added');
  return added.fact;
}

async function addAgents({ agents }: Storage): Promise<void> {
  const texts = { role: '', model: undefined, instructions: '' };
  await agents.ensure({ id: QUIET, name: 'Quiet', ...texts, memoryAccess: 'private' });
  await agents.ensure({ id: OPEN, name: 'Open', ...texts, memoryAccess: 'global' });
}

/** Everything the FactStore port promises. */
export function describeFactStore(engine: string, open: OpenStorage): void {
  describe(`FactStore on ${engine}`, () => {
    test('keeps any text over a reopen, and removes what it is told to', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const given = newFact({ object: '"*NEAR(-- 🦀', agentId: OPEN, validToMs: 9e15 });
      await storage.facts.add(given);

      const { facts } = await reopen();
      const { isReplacing: _, ...fields } = given;
      const at = { createdAtMs: clock.nowMs(), validFromMs: clock.nowMs() };
      expect(await facts.find(given.id)).toEqual({ ...fields, ...at });
      expect(await facts.remove(given.id)).toBe(true);
      expect(await facts.remove(given.id)).toBe(false);
      expect(await facts.find('a\u0000b' as FactId)).toBeUndefined();
    });

    test('of many replacing at the same time one is left standing', async () => {
      const { storage, clock } = await openRig(open);

      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          add(storage, { object: `port ${index}`, isReplacing: true }),
        ),
      );

      const all = await storage.facts.list(EVERYBODY);
      const atMs = clock.nowMs();
      expect(all).toHaveLength(8);
      expect(all.filter(({ validToMs }) => validToMs === undefined)).toHaveLength(1);
      expect(await storage.facts.list({ ...EVERYBODY, atMs })).toHaveLength(1);
    });

    test('lists newest first, by what is asked for, in pages', async () => {
      const { storage, clock } = await openRig(open);
      const first = await add(storage, { subject: '100% sure_', object: 'ÉTÉ' });
      clock.advance(1_000);
      const second = await add(storage, { projectId: 'proj_002', validToMs: clock.nowMs() + 10 });
      await add(storage, { owner: 'user:1' });
      const list = async (fields: Partial<FactFilter>) =>
        (await storage.facts.list({ ...EVERYBODY, ...fields })).map(({ id }) => id);

      expect(await list({})).toEqual([second.id, first.id]);
      expect(await list({ limit: 1 })).toEqual([second.id]);
      expect(await list({ before: second.id })).toEqual([first.id]);
      expect(await list({ limit: 0 })).toEqual([]);
      expect(await list({ projectId: 'proj_002' })).toEqual([second.id]);
      expect(await list({ subject: ' BILLING', relation: 'Runs On' })).toEqual([second.id]);
      expect(await list({ object: 'été' })).toEqual([first.id]);
      expect(await list({ text: '0% SURE_' })).toEqual([first.id]);
      expect(await list({ text: '%' })).toEqual([first.id]);
      expect(await list({ text: "' or 1=1 --" })).toEqual([]);
      expect(await list({ atMs: clock.nowMs() + 10 })).toEqual([first.id]);
      expect(await list({ atMs: clock.nowMs() - 1 })).toEqual([first.id]);
    });

    test('shows what is private to its agent alone, also when it became so later', async () => {
      const { storage } = await openRig(open);
      await addAgents(storage);
      const persons = await add(storage, { subject: 'by a person' });
      const shared = await add(storage, { subject: 'shared', agentId: OPEN });
      const hidden = await add(storage, { subject: 'hidden', agentId: QUIET, isPrivate: true });
      const before = await add(storage, { subject: 'before', agentId: QUIET });
      const seenBy = async (readerId: AgentId | undefined, isOwnOnly: boolean) =>
        (await storage.facts.list({ ...EVERYBODY, readerId, isOwnOnly })).map(({ id }) => id);

      expect(await seenBy(undefined, false)).toEqual([shared.id, persons.id]);
      expect(await seenBy(OPEN, false)).toEqual([shared.id, persons.id]);
      expect(await seenBy(QUIET, true)).toEqual([before.id, hidden.id]);
    });
  });
}

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import type { AgentId, MailId } from '../ids.ts';
import { isSameMessage, type Mail, type MailStore, type NewMail, type TakeMail } from './mail.ts';
import {
  createMailStore,
  MAIL,
  MAIL_OF_KEY,
  type MailRow,
  NEXT_MAIL,
  TAKEN_MAIL,
} from './stored-mail.ts';

type Inbox = Pick<Mail, 'to' | 'owner'>;

const inboxOf = (rows: readonly MailRow[], { to, owner }: Inbox) =>
  rows.filter((row) => row.to === to && row.owner === owner);
const isWaiting = ({ deliveredAtMs }: Mail) => deliveredAtMs === undefined;

const STUBS = [
  stubQuery(MAIL_OF_KEY, ({ key }, { rows }) => rows(MAIL).filter((row) => row.key === key)),
  stubQuery(TAKEN_MAIL, ({ takenBy, limit, ...inbox }, { rows }) => {
    const taken = inboxOf(rows(MAIL), inbox).filter((row) => row.takenBy === takenBy);
    return taken.slice(0, limit);
  }),
  stubQuery(NEXT_MAIL, ({ taskId, limit, ...inbox }, { rows }) => {
    const waiting = inboxOf(rows(MAIL), inbox).filter(isWaiting);
    return waiting.filter((row) => taskId === undefined || row.taskId === taskId).slice(0, limit);
  }),
];

const AGENT = fc.constantFrom('agent_a' as AgentId, 'agent_b' as AgentId);
const OWNER = fc.constantFrom('operator', 'user:1');
const MESSAGE = {
  id: 'mail_0' as MailId,
  from: 'agent_z' as AgentId,
  to: 'agent_a' as AgentId,
  owner: 'operator',
  subject: 's',
  taskId: 't1',
  body: 'x',
  runId: undefined,
};

const mail: fc.Arbitrary<NewMail> = fc.record({
  ...Object.fromEntries(Object.entries(MESSAGE).map(([name, value]) => [name, fc.constant(value)])),
  to: AGENT,
  owner: OWNER,
  taskId: fc.constantFrom('t1', 't2'),
  key: fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5'),
  body: fc.constantFrom('x', 'x', 'y'),
}) as fc.Arbitrary<NewMail>;
const take = fc.record(
  {
    agentId: AGENT,
    owner: OWNER,
    key: fc.constantFrom('once', 'again'),
    limit: fc.integer({ min: -1, max: 3 }),
    taskId: fc.constantFrom('t1', 't2'),
  },
  { requiredKeys: ['agentId', 'owner', 'key', 'limit'] },
);
const steps = fc.array(fc.oneof(fc.record({ mail, max: fc.nat(3) }), fc.record({ take })), {
  maxLength: 30,
});

function openStore() {
  const tables = createMemoryTables(STUBS);
  return { store: createMailStore(tables), tables };
}

let sentMail = 0;
const send = (store: MailStore, given: NewMail, max: number) => {
  sentMail += 1;
  return store.send({ ...given, id: `mail_${sentMail}` as MailId }, max);
};

test('every mail is delivered to one call, which gets the same again, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { store, tables } = openStore();
      const sent = new Map<string, Mail>();
      const taken = new Map<string, Mail[]>();
      const takeOnce = async (request: TakeMail) => {
        const place = JSON.stringify([request.agentId, request.owner, request.key]);
        const before = taken.get(place) ?? [];
        const got = await store.take(request);
        if (before.length > 0) expect(got).toEqual(before);
        else expect(got.length).toBeLessThanOrEqual(Math.max(0, request.limit));
        taken.set(place, got);
      };

      for (const step of given) {
        tables.clock.advance(1);
        if ('take' in step) await takeOnce(step.take);
        else {
          const result = await send(store, step.mail, step.max);
          const name = `${step.mail.owner} ${step.mail.key}`;
          const known = sent.get(name);
          const isOther = known !== undefined && !isSameMessage(step.mail, known);
          expect(result.outcome === 'other_message').toBe(isOther);
          if (result.outcome !== 'sent') continue;
          expect(result.replayed).toBe(known !== undefined);
          expect(result.mail.id).toBe((known ?? result.mail).id);
          sent.set(name, result.mail);
        }
      }
      for (const { to: agentId, owner } of sent.values())
        await takeOnce({ agentId, owner, key: 'the rest', limit: 500 });

      const delivered = [...taken.values()].flat().map(({ id }) => id);
      expect(delivered.sort()).toEqual([...sent.values()].map(({ id }) => id).sort());
    }),
  );
});

test('an inbox holds no more of an owner than it may, and no step touches another inbox', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { store, tables } = openStore();
      for (const step of given) {
        const inbox = 'take' in step ? { ...step.take, to: step.take.agentId } : step.mail;
        const before = tables.rows(MAIL);
        const own = inboxOf(before, inbox);

        if ('take' in step) await store.take(step.take);
        else {
          const { outcome } = await send(store, step.mail, step.max);
          if (outcome === 'inbox_full')
            expect(own.filter(isWaiting).length).toBeGreaterThanOrEqual(step.max);
        }

        const after = tables.rows(MAIL);
        const rest = (rows: MailRow[]) => rows.filter((row) => !inboxOf([row], inbox).length);
        const isMore = inboxOf(after, inbox).length > own.length;
        expect(rest(after)).toEqual(rest(before));
        if (isMore && 'max' in step)
          expect(inboxOf(after, inbox).filter(isWaiting).length).toBeLessThanOrEqual(step.max);
      }
    }),
  );
});

const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

test('delivered mail goes after its time, a hundred at a time, oldest first', async () => {
  const { store, tables } = openStore();
  const nowMs = tables.clock.nowMs();
  const row = { ...MESSAGE, sentAtMs: 0, takenBy: 'somebody' };
  const seeds = Array.from({ length: 260 }, (_, no) => ({
    ...row,
    id: `old_${no}` as MailId,
    key: `${no}`,
    // From old to just within its time; every thirteenth still waits.
    deliveredAtMs: no % 13 === 0 ? undefined : nowMs - KEEP_MS - 249 + no,
  }));
  tables.seed(MAIL, seeds);
  const past = seeds.filter(({ deliveredAtMs = nowMs }) => deliveredAtMs < nowMs - KEEP_MS);
  const left = () => tables.rows(MAIL).filter(({ id }) => id.startsWith('old_'));

  await send(store, { ...MESSAGE, to: 'agent_b' as AgentId, key: 'k' }, 1);
  expect(left()).toEqual(seeds.filter((seed) => !past.slice(0, 100).includes(seed)));

  await store.take({ agentId: 'agent_c' as AgentId, owner: 'operator', key: 'k', limit: 1 });
  expect(left()).toEqual(seeds.filter((seed) => !past.slice(0, 200).includes(seed)));

  await store.take({ agentId: 'agent_c' as AgentId, owner: 'operator', key: 'l', limit: 1 });
  expect(left()).toEqual(seeds.filter((seed) => !past.includes(seed)));
  expect(past.length).toBeGreaterThan(200);
});

import { describe, expect, test } from 'vitest';
import type { AgentId, MailId } from '../../src/core/ids.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import { AGENT, newRunId, type OpenStorage, openRig } from './harness.ts';
import { newMail, SENDER, sendMail } from './mail-rig.ts';

const ODD = 'a\u0000b 🦀 \ud800 "c"';
const OTHER = 'agent_other' as AgentId;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Everything the MailStore port promises. */
export function describeMail(engine: string, open: OpenStorage): void {
  describeSends(engine, open);
  describeTakes(engine, open);
  describeRetention(engine, open);
}

function describeSends(engine: string, open: OpenStorage): void {
  describe(`MailStore.send on ${engine}`, () => {
    test('finds no mail in an empty store', async () => {
      const { storage } = await openRig(open);

      expect(await storage.mail.list({ agentId: AGENT, limit: 10 })).toEqual([]);
      expect(await storage.mail.list({ agentId: 'a\u0000b' as AgentId, limit: 10 })).toEqual([]);
      expect(
        await storage.mail.take({ agentId: AGENT, owner: OPERATOR, key: 'k', limit: 10 }),
      ).toEqual([]);
      const nobody = { agentId: 'a\u0000b' as AgentId, owner: OPERATOR, key: 'k', limit: 10 };
      expect(await storage.mail.take(nobody)).toEqual([]);
    });

    test('keeps any text over a reopen', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const texts = { subject: ODD, taskId: ODD, body: ODD.repeat(10_000), key: ODD };
      const { key: _, ...fields } = { ...newMail(texts), runId: newRunId() };

      const result = await storage.mail.send({ ...fields, key: ODD }, 10);

      const mail = { ...fields, sentAtMs: clock.nowMs(), deliveredAtMs: undefined };
      expect(result).toEqual({ outcome: 'sent', mail, replayed: false });
      expect(await (await reopen()).mail.list({ agentId: AGENT, limit: 10 })).toEqual([mail]);
    });

    test('sends one mail for one key, also when its inbox is full by then', async () => {
      const { storage, clock } = await openRig(open);
      const first = await storage.mail.send(newMail({ key: 'same' }), 10);
      clock.advance(1_000);

      const second = await storage.mail.send(newMail({ key: 'same', runId: newRunId() }), 0);

      if (first.outcome !== 'sent') throw new Error(`expected mail, got ${first.outcome}`);
      expect(second).toEqual({ ...first, replayed: true });
      expect(await storage.mail.list({ agentId: AGENT, limit: 10 })).toEqual([first.mail]);
    });

    test('refuses another message under a key that is known, and keeps the first', async () => {
      const { storage } = await openRig(open);
      const first = await sendMail(storage, { key: 'same' });
      const others = [
        { to: OTHER },
        { from: OTHER },
        { subject: 'x' },
        { taskId: 'x' },
        { body: 'x' },
      ];

      for (const other of others) {
        const refused = await storage.mail.send(newMail({ key: 'same', ...other }), 10);
        expect(refused).toEqual({ outcome: 'other_message' });
      }

      expect(await storage.mail.list({ agentId: AGENT, limit: 10 })).toEqual([first]);
      expect(await storage.mail.list({ agentId: OTHER, limit: 10 })).toEqual([]);
    });

    test('keeps the keys of one owner apart from those of another', async () => {
      const { storage } = await openRig(open);
      const owners = [OPERATOR, 'user:7', 'user:8'];

      const results = await Promise.all(
        owners.map((owner) => storage.mail.send(newMail({ key: 'same', owner }), 10)),
      );

      expect(results).toMatchObject(
        owners.map((owner) => ({ outcome: 'sent', replayed: false, mail: { owner } })),
      );
    });

    test('sends one mail for one key among many who send it at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).mail.send(
            newMail({ key: 'same', to: index < 4 ? AGENT : OTHER }),
            10,
          ),
        ),
      );

      const sent = results.flatMap((result) => (result.outcome === 'sent' ? [result] : []));
      expect(sent).toHaveLength(4);
      expect(sent.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(sent.map(({ mail }) => mail.id)).size).toBe(1);
      const inboxes = await Promise.all(
        [AGENT, OTHER].map((agentId) => storage.mail.list({ agentId, limit: 10 })),
      );
      expect(inboxes.flat()).toHaveLength(1);
    });

    test('replays mail that was delivered meanwhile', async () => {
      const { storage } = await openRig(open);
      await sendMail(storage, { key: 'same' });
      const [taken] = await storage.mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: 'k',
        limit: 1,
      });

      const again = await storage.mail.send(newMail({ key: 'same' }), 10);

      expect(again).toEqual({ outcome: 'sent', mail: taken, replayed: true });
    });

    test('refuses an id that is taken', async () => {
      const { storage } = await openRig(open);
      const mail = await sendMail(storage, { id: 'mail_1' as MailId });

      const sending = storage.mail.send(newMail({ id: mail.id }), 10);

      await expect(sending).rejects.toMatchObject({ code: 'conflict' });
      expect(await storage.mail.list({ agentId: AGENT, limit: 10 })).toEqual([mail]);
    });

    test('refuses what an inbox has no room for, until some of it is taken', async () => {
      const { storage } = await openRig(open);
      await sendMail(storage);
      await sendMail(storage);

      const full = await storage.mail.send(newMail(), 2);
      const elsewhere = await storage.mail.send(newMail({ to: OTHER }), 2);
      await storage.mail.take({ agentId: AGENT, owner: OPERATOR, key: 'k', limit: 1 });
      const freed = await storage.mail.send(newMail(), 2);

      expect(full).toEqual({ outcome: 'inbox_full' });
      expect([elsewhere.outcome, freed.outcome]).toEqual(['sent', 'sent']);
    });

    test('fills an inbox no further than it may, however many send at once', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).mail.send(newMail(), 5),
        ),
      );

      expect(results.filter(({ outcome }) => outcome === 'sent')).toHaveLength(5);
      expect(await storage.mail.list({ agentId: AGENT, limit: 20 })).toHaveLength(5);
    });

    test('lists the newest first, delivered or not, and changes nothing', async () => {
      const { storage } = await openRig(open);
      const first = await sendMail(storage);
      const second = await sendMail(storage);
      const third = await sendMail(storage);
      await sendMail(storage, { to: OTHER });
      const [taken] = await storage.mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: 'k',
        limit: 1,
      });

      const list = (isUndelivered?: boolean, limit = 10) =>
        storage.mail.list({
          agentId: AGENT,
          limit,
          ...(isUndelivered === undefined ? {} : { isUndelivered }),
        });
      expect(taken?.id).toBe(first.id);
      expect(await list()).toEqual([third, second, taken]);
      expect(await list(undefined, 2)).toEqual([third, second]);
      expect(await list(true)).toEqual([third, second]);
      expect(await list(false)).toEqual([taken]);
      expect(await list()).toEqual([third, second, taken]);
    });
  });
}

function describeTakes(engine: string, open: OpenStorage): void {
  describe(`MailStore.take on ${engine}`, () => {
    test('delivers the oldest first, each once', async () => {
      const { storage, clock } = await openRig(open);
      const sent = [await sendMail(storage), await sendMail(storage), await sendMail(storage)];
      clock.advance(1_000);

      const first = await storage.mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: 'a',
        limit: 2,
      });
      const second = await storage.mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: 'b',
        limit: 2,
      });
      const third = await storage.mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: 'c',
        limit: 2,
      });

      const delivered = sent.map((mail) => ({ ...mail, deliveredAtMs: clock.nowMs() }));
      expect([first, second, third]).toEqual([delivered.slice(0, 2), delivered.slice(2), []]);
      const all = await storage.mail.list({ agentId: AGENT, limit: 10 });
      expect(all).toEqual(delivered.toReversed());
    });

    test('answers the same key with the same mail, also over a reopen and with more to take', async () => {
      const { storage, clock, reopen } = await openRig(open);
      await sendMail(storage);
      await sendMail(storage);
      const first = await storage.mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: ODD,
        limit: 1,
      });
      clock.advance(1_000);
      const { mail } = await reopen();

      const again = await mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: ODD,
        limit: 10,
        taskId: 'other',
      });

      expect(first).toHaveLength(1);
      expect(again).toEqual(first);
      expect(await mail.take({ agentId: OTHER, owner: OPERATOR, key: ODD, limit: 10 })).toEqual([]);
      expect(await mail.list({ agentId: AGENT, limit: 10, isUndelivered: true })).toHaveLength(1);
    });

    test('delivers what came later to a key that took nothing before', async () => {
      const { storage } = await openRig(open);
      const empty = await storage.mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: 'k',
        limit: 5,
      });
      const { id } = await sendMail(storage);

      const taken = await storage.mail.take({
        agentId: AGENT,
        owner: OPERATOR,
        key: 'k',
        limit: 5,
      });

      expect(empty).toEqual([]);
      expect(taken.map((mail) => mail.id)).toEqual([id]);
    });

    test('gives each mail to one of many who take at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const sent: string[] = [];
      for (let count = 0; count < 10; count += 1) sent.push((await sendMail(storage)).id);

      const taken = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).mail.take({
            agentId: AGENT,
            owner: OPERATOR,
            key: `taker-${index}`,
            limit: 3,
          }),
        ),
      );

      expect(
        taken
          .flat()
          .map(({ id }) => id as string)
          .sort(),
      ).toEqual(sent.sort());
    });

    test('gives everybody the same who takes with one key at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      for (let count = 0; count < 4; count += 1) await sendMail(storage);

      const taken = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).mail.take({
            agentId: AGENT,
            owner: OPERATOR,
            key: 'k',
            limit: 2,
          }),
        ),
      );

      expect(taken[0]).toHaveLength(2);
      expect(taken).toEqual(taken.map(() => taken[0]));
    });

    test('takes only the mail of one task when it is asked for', async () => {
      const { storage } = await openRig(open);
      await sendMail(storage, { taskId: 'task_1' });
      const odd = await sendMail(storage, { taskId: ODD });
      await sendMail(storage, { taskId: ODD, to: SENDER });

      const request = { agentId: AGENT, owner: OPERATOR, limit: 10 };
      const taken = await storage.mail.take({ ...request, key: 'a', taskId: ODD });
      const none = await storage.mail.take({ ...request, key: 'b', taskId: ODD });
      const rest = await storage.mail.take({ ...request, key: 'c' });

      expect(taken.map(({ id }) => id)).toEqual([odd.id]);
      expect(none).toEqual([]);
      expect(rest.map(({ taskId }) => taskId)).toEqual(['task_1']);
    });
  });
}

function describeRetention(engine: string, open: OpenStorage): void {
  describe(`Delivered mail on ${engine}`, () => {
    test.each(['send', 'take'] as const)('is removed by %s once it is 30 days old', async (how) => {
      const { storage, clock } = await openRig(open);
      const { mail } = storage;
      await sendMail(storage, { key: 'old' });
      await mail.take({ agentId: AGENT, owner: OPERATOR, key: 'k', limit: 1 });
      const waiting = await sendMail(storage);
      const list = () => mail.list({ agentId: AGENT, limit: 10 });
      const touchAnotherInbox = async () => {
        if (how === 'send') await sendMail(storage, { to: OTHER });
        else await mail.take({ agentId: OTHER, owner: OPERATOR, key: 'none', limit: 1 });
      };

      clock.advance(KEPT_MS);
      await touchAnotherInbox();
      const onTheDay = await list();
      clock.advance(1);
      await touchAnotherInbox();
      const after = await list();
      const again = await mail.send(newMail({ key: 'old' }), 10);

      expect(onTheDay).toHaveLength(2);
      expect(after).toEqual([waiting]);
      expect(again).toMatchObject({ outcome: 'sent', replayed: false });
    });

    test('goes a bounded number at a time', async () => {
      const { storage, clock } = await openRig(open);
      const { mail } = storage;
      await Promise.all(Array.from({ length: 150 }, () => sendMail(storage)));
      await mail.take({ agentId: AGENT, owner: OPERATOR, key: 'k', limit: 150 });
      clock.advance(KEPT_MS + 1);
      const count = async () => (await mail.list({ agentId: AGENT, limit: 500 })).length;

      const left: number[] = [];
      await mail.take({ agentId: AGENT, owner: OPERATOR, key: 'other', limit: 1 });
      left.push(await count());
      await sendMail(storage, { to: OTHER });
      left.push(await count());

      expect(left).toEqual([50, 0]);
    });

    test('is still there for a call that is repeated, while nobody else has come', async () => {
      const { storage, clock } = await openRig(open);
      const { mail } = storage;
      await sendMail(storage, { key: 'same' });
      const [taken] = await mail.take({ agentId: AGENT, owner: OPERATOR, key: 'k', limit: 1 });
      clock.advance(2 * KEPT_MS);

      const sent = await mail.send(newMail({ key: 'same' }), 10);
      const again = await mail.take({ agentId: AGENT, owner: OPERATOR, key: 'k', limit: 1 });

      expect(sent).toEqual({ outcome: 'sent', mail: taken, replayed: true });
      expect(again).toEqual([taken]);
    });
  });
}

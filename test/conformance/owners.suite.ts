import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../src/core/ids.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import { asked, newApproval } from './effects/approval-rig.ts';
import { AGENT, claimNewRun, createRun, MANY, type OpenStorage, openRig } from './harness.ts';
import { createJob, newJob } from './jobs/job-rig.ts';
import { newMail, sendMail } from './mail-rig.ts';

const USER = 'user:42';
const GUEST = 'guest:ünïcode \\ \u0000 "x"';
const OWNERS = [OPERATOR, USER, GUEST];
const PLACE = { agentId: AGENT, channel: 'thread', userId: USER, roomId: 'thread_1' };

let sessions = 0;
function newSessionId(): SessionId {
  sessions += 1;
  return `session_owned_${sessions}` as SessionId;
}

/** Whose things are, in every port that lists them. */
export function describeOwners(engine: string, open: OpenStorage): void {
  describe(`Owners on ${engine}`, () => {
    test('have lists of runs of their own, page by page, and the operator has all', async () => {
      const { runs, reopen } = await openRig(open);
      const made = [];
      for (const owner of [...OWNERS, USER]) made.push(await createRun(runs, { owner }));
      const reopened = (await reopen()).runs;

      const first = await reopened.list({ owner: USER, limit: 1 });
      const second = await reopened.list({ owner: USER, limit: 1, before: made[3]!.id });
      const guests = await reopened.list({ owner: GUEST, agentId: AGENT, limit: 10 });
      const all = await reopened.list({ limit: 10 });

      expect(first).toEqual({ runs: [made[3]], next: made[3]?.id });
      expect(second).toEqual({ runs: [made[1]], next: undefined });
      expect(guests.runs).toEqual([made[2]]);
      expect(all.runs).toEqual(made.toReversed());
      expect((await reopened.list({ owner: 'user:4', limit: 10 })).runs).toEqual([]);
    });

    test('have sessions of their own, which a fork stays among', async () => {
      const { storage, reopen } = await openRig(open);
      for (const owner of OWNERS) {
        await storage.sessions.open({ ...PLACE, userId: owner, owner }, newSessionId());
      }
      const [origin] = (await storage.sessions.list({ ...LISTED, owner: GUEST })).sessions;
      const fork = await storage.sessions.fork({ from: origin!.id, id: newSessionId() });
      const reopened = (await reopen()).sessions;

      const listed = await Promise.all(
        [{ owner: USER }, { owner: GUEST }, {}].map((filter) =>
          reopened.list({ ...LISTED, ...filter }),
        ),
      );

      expect(fork?.owner).toBe(GUEST);
      expect(listed.map((page) => page.sessions.map(({ owner }) => owner).sort())).toEqual([
        [USER],
        [GUEST, GUEST],
        [GUEST, GUEST, OPERATOR, USER],
      ]);
      expect((await reopened.list({ ...LISTED, ...PLACE, owner: GUEST })).sessions).toEqual([]);
    });

    test('go on in a place only when its session is theirs', async () => {
      const { sessions: store } = (await openRig(open)).storage;
      const operators = await store.open(PLACE, newSessionId());

      const users = await store.open({ ...PLACE, owner: USER }, newSessionId());
      const again = await store.open({ ...PLACE, owner: USER }, newSessionId());
      const looking = await store.open(PLACE, newSessionId());

      expect(users).toMatchObject({ created: true, session: { owner: USER } });
      expect(users.session.id).not.toBe(operators.session.id);
      expect(again).toEqual({ created: false, session: users.session });
      expect(looking).toEqual({ created: false, session: users.session });
    });

    test('are known of every question that their runs ask', async () => {
      const { runs, storage, reopen } = await openRig(open);
      const questions = OWNERS.map(() => newApproval());
      for (const [index, owner] of OWNERS.entries()) {
        const { lease } = await claimNewRun(runs, 'runner-a', { owner });
        await runs.park(lease, [asked()], questions[index]!);
      }
      const answer = { status: 'approved', by: OPERATOR, note: '' } as const;
      const decided = await storage.approvals.decide(questions[1]!.id, answer, asked());
      const { approvals } = await reopen();

      const found = await Promise.all(questions.map(({ id }) => approvals.find(id)));
      const listed = (await approvals.list({ limit: 10 })).approvals.toReversed();

      expect(decided.approval.owner).toBe(USER);
      expect(found.map((one) => one?.owner)).toEqual(OWNERS);
      expect(listed.map(({ owner }) => owner)).toEqual(OWNERS);
    });

    test('have jobs of their own, which no change gives away', async () => {
      const { jobs } = (await openRig(open)).storage;
      const made = [];
      for (const owner of OWNERS) made.push(await createJob(jobs, { owner }));
      await jobs.update(made[1]!.id, { message: 'other' });

      const lists = await Promise.all(
        [{ owner: USER }, { owner: GUEST, agentId: AGENT }, { owner: 'user:1' }, {}].map((filter) =>
          jobs.list({ ...filter, limit: 10 }),
        ),
      );

      expect(lists.map((page) => page.jobs.map(({ owner }) => owner).sort())).toEqual([
        [USER],
        [GUEST],
        [],
        [GUEST, OPERATOR, USER],
      ]);
      expect((await jobs.create(newJob({ id: made[1]!.id }), { maxJobs: MANY })).outcome).toBe(
        'exists',
      );
    });

    test('have an inbox of their own: nobody takes or crowds out what is another’s', async () => {
      const { storage } = await openRig(open);
      for (const owner of OWNERS) await sendMail(storage, { owner, body: owner });
      const crowd = await storage.mail.send(newMail({ owner: USER }), 1);
      const room = await storage.mail.send(newMail({ owner: 'user:7' }), 1);

      const taken = await Promise.all(
        OWNERS.map((owner) => storage.mail.take({ agentId: AGENT, owner, key: 'k', limit: 10 })),
      );

      expect([crowd.outcome, room.outcome]).toEqual(['inbox_full', 'sent']);
      expect(taken.map((mails) => mails.map(({ owner, body }) => [owner, body]))).toEqual(
        OWNERS.map((owner) => [[owner, owner]]),
      );
      expect(await storage.mail.list({ agentId: AGENT, limit: 10 })).toHaveLength(4);
    });
  });
}

const LISTED = { includeClosed: true, limit: 10 };

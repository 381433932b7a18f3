import { describe, expect, test } from 'vitest';
import type { AgentId, MailId, SessionId } from '../../../src/core/ids.ts';
import type { Job } from '../../../src/core/schedule/job.ts';
import type { FiringRef, JobStore, Notice } from '../../../src/core/schedule/job-store.ts';
import {
  AGENT,
  cancelDrafts,
  claimOnly,
  finishRun,
  type OpenStorage,
  openRig,
  type Rig,
} from '../harness.ts';
import { newMail } from '../mail-rig.ts';
import { message, newSession, newSessionId, sayNew, transcript } from '../sessions/session-rig.ts';
import { createJob, ensureAgent, fire, slotOf } from './job-rig.ts';

async function fireSlotOf(jobs: JobStore, job: Job): Promise<FiringRef> {
  const slot = slotOf(job);
  await fire(jobs, slot);
  return { jobId: job.id, slotMs: slot.slotMs, runId: slot.run.id };
}

/** A slot whose run has ended. */
async function openEnded(open: OpenStorage): Promise<Rig & { firing: FiringRef; job: Job }> {
  const rig = await openRig(open);
  const job = await createJob(rig.storage.jobs);
  const firing = await fireSlotOf(rig.storage.jobs, job);
  await rig.runs.requestCancel(firing.runId, cancelDrafts());
  return { ...rig, firing, job };
}

const toSession = (sessionId: string): Notice => ({
  channel: 'session',
  sessionId,
  message: message('system', 'the job is done'),
});

export function describeNotices(engine: string, open: OpenStorage): void {
  describe(`JobStore.settle on ${engine}`, () => {
    test('is asked for when the run has ended, oldest first, until it is done', async () => {
      const { storage, runs } = await openRig(open);
      const { jobs } = storage;
      const first = await createJob(jobs);
      const second = await createJob(jobs);
      const third = await createJob(jobs);
      const early = await fireSlotOf(jobs, first);
      const late = await fireSlotOf(jobs, second);
      await fireSlotOf(jobs, third);
      await runs.requestCancel(late.runId, cancelDrafts());
      await finishRun(runs, (await claimOnly(runs, early.runId)).lease);

      const unsettled = await jobs.listUnsettled(10);
      const oldest = await jobs.listUnsettled(1);
      await jobs.settle(early, undefined);

      const expected = [
        { ...early, job: await jobs.find(first.id), run: await runs.find(early.runId) },
        { ...late, job: await jobs.find(second.id), run: await runs.find(late.runId) },
      ];
      expect(unsettled).toEqual(expected);
      expect(oldest).toEqual(expected.slice(0, 1));
      expect(await jobs.listUnsettled(10)).toEqual(expected.slice(1));
    });

    test('tells a session once, however many try', async () => {
      const { storage, openBeside, firing, clock } = await openEnded(open);
      const beside = await openBeside();
      const session = await newSession(storage);
      await sayNew(storage, session, 'hello');
      clock.advance(5);

      const settled = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).jobs.settle(firing, toSession(session.id)),
        ),
      );

      expect(settled.filter((isFirst) => isFirst)).toHaveLength(1);
      expect(await transcript(storage, session.id)).toEqual([
        'user hello',
        'system the job is done',
      ]);
      expect(await storage.sessions.find(session.id)).toEqual({
        ...session,
        title: 'hello',
        messageCount: 2,
        lastExchange: 2,
        updatedAtMs: clock.nowMs(),
      });
    });

    test('tells an agent once', async () => {
      const { storage, firing, clock } = await openEnded(open);
      await ensureAgent(storage);
      const mail = newMail({ to: AGENT });

      const first = await storage.jobs.settle(firing, { channel: 'agent', mail });
      const second = await storage.jobs.settle(firing, {
        channel: 'agent',
        mail: newMail({ to: AGENT }),
      });

      const { key: _, ...sent } = mail;
      expect([first, second]).toEqual([true, false]);
      expect(await storage.mail.list({ agentId: AGENT, limit: 10 })).toEqual([
        { ...sent, sentAtMs: clock.nowMs(), deliveredAtMs: undefined },
      ]);
    });

    test('drops what it can tell nobody', async () => {
      const { storage, runs, firing, job } = await openEnded(open);
      const { jobs, sessions, mail } = storage;
      const closed = await newSession(storage);
      await sessions.close(closed.id);
      const nobody = 'agent_gone' as AgentId;
      const notices: Notice[] = [
        toSession(newSessionId()),
        toSession(closed.id),
        toSession('a\u0000b'),
        { channel: 'agent', mail: newMail({ to: nobody }) },
        { channel: 'agent', mail: newMail({ to: 'a\u0000b' as AgentId }) },
      ];
      const refs = [firing];
      for (let count = 1; count < notices.length; count += 1) {
        const next = await jobs.find(job.id);
        const ref = await fireSlotOf(jobs, next ?? job);
        await runs.requestCancel(ref.runId, cancelDrafts());
        refs.push(ref);
      }

      const settled: boolean[] = [];
      for (const [index, ref] of refs.entries()) {
        settled.push(await jobs.settle(ref, notices[index]));
      }

      expect(settled).toEqual([true, true, true, true, true]);
      expect(await jobs.listUnsettled(10)).toEqual([]);
      expect(await sessions.readMessages(closed.id, { limit: 10 })).toEqual([]);
      expect(await mail.list({ agentId: nobody, limit: 10 })).toEqual([]);
    });

    test('settles nothing twice and nothing that was never fired', async () => {
      const { storage, firing } = await openEnded(open);
      const { jobs } = storage;

      expect(await jobs.settle({ ...firing, slotMs: 1 }, undefined)).toBe(false);
      expect(await jobs.settle(firing, undefined)).toBe(true);
      expect(await jobs.settle(firing, undefined)).toBe(false);
    });

    test('writes nothing when the notice can not be written', async () => {
      const { storage, firing } = await openEnded(open);
      await ensureAgent(storage);
      const id = 'mail_taken' as MailId;
      await storage.mail.send(newMail({ id }), 10);

      const settling = storage.jobs.settle(firing, { channel: 'agent', mail: newMail({ id }) });

      await expect(settling).rejects.toMatchObject({ code: 'conflict' });
      expect(await storage.jobs.listUnsettled(10)).toHaveLength(1);
    });

    test('may tell a session that the run itself belongs to', async () => {
      const { storage, runs } = await openRig(open);
      const session = await newSession(storage);
      const job = await createJob(storage.jobs);
      const slot = slotOf(job);
      const sessionId: SessionId = session.id;
      const run = await fire(storage.jobs, { ...slot, run: { ...slot.run, sessionId } });
      await runs.requestCancel(run.id, cancelDrafts());
      const ref = { jobId: job.id, slotMs: slot.slotMs, runId: run.id };

      expect(await storage.jobs.settle(ref, toSession(session.id))).toBe(true);

      expect(await transcript(storage, session.id)).toEqual(['system the job is done']);
    });
  });
}

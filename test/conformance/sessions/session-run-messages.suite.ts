import { describe, expect, test } from 'vitest';
import type { LeaseId, RequestId } from '../../../src/core/ids.ts';
import { newApproval } from '../effects/approval-rig.ts';
import {
  COMPLETED,
  claimOnly,
  claimRequest,
  createRun,
  delta,
  draft,
  LEASE_MS,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import {
  answer,
  message,
  newSession,
  newSessionId,
  PLACE,
  say,
  saying,
  sayNew,
  transcript,
} from './session-rig.ts';

const ODD = 'a\u0000b 🦀 \ud800 "c"\n';

export function describeRunMessages(engine: string, open: OpenStorage): void {
  describe(`Messages of runs on ${engine}`, () => {
    test('stand with their events, in order of exchange and then of event', async () => {
      const { storage, clock } = await openRig(open);
      const { runs, sessions } = storage;
      const session = await newSession(storage);
      const first = await sayNew(storage, session, 'user1');
      const { lease: held } = await claimOnly(runs, first.id);
      clock.advance(1_000);
      const tool = message('tool', ODD, { toolName: 'fs.read', toolCallId: ODD });
      await runs.append(held, [delta('x'), { ...draft('tool.result'), message: tool }]);
      const second = await sayNew(storage, session, 'user2');
      const failed = message('assistant', 'assistant1', { status: 'failed' });
      await runs.finish(held, [delta('y'), { ...draft('run.failed'), message: failed }], {
        ...COMPLETED,
        status: 'failed',
      });

      const plain = { toolName: undefined, toolCallId: undefined, status: undefined };
      const laterMs = clock.nowMs();
      const run1 = { exchange: 1, runId: first.id };
      expect(await sessions.readMessages(session.id, { limit: 10 })).toEqual([
        { ...run1, ...plain, position: 1, role: 'user', content: 'user1', atMs: laterMs - 1_000 },
        {
          ...run1,
          position: 4,
          role: 'tool',
          content: ODD,
          toolName: 'fs.read',
          toolCallId: ODD,
          status: undefined,
          atMs: laterMs,
        },
        {
          ...run1,
          ...plain,
          position: 6,
          role: 'assistant',
          content: 'assistant1',
          status: 'failed',
          atMs: laterMs,
        },
        {
          ...plain,
          exchange: 2,
          runId: second.id,
          position: 1,
          role: 'user',
          content: 'user2',
          atMs: laterMs,
        },
      ]);
      expect(await sessions.find(session.id)).toMatchObject({ messageCount: 4, lastExchange: 2 });
    });

    test('are added by whatever records an event', async () => {
      const { storage } = await openRig(open);
      const { runs, approvals } = storage;
      const session = await newSession(storage);
      const created = await say(storage, session, {
        text: 'create',
        options: {
          lease: {
            owner: 'runner-a',
            leaseMs: LEASE_MS,
            started: saying('run.started', 'system', 'start'),
          },
        },
      });
      if (created.outcome !== 'created' || !created.lease) throw new Error('not created');
      const ref = { runId: created.run.id, leaseId: created.lease.id };
      await runs.append(ref, [saying('model.delta', 'tool', 'append')]);
      const question = newApproval();
      await runs.park(ref, [saying('policy.decision', 'tool', 'park')], question);
      const decision = { status: 'approved', by: 'ann', note: '' } as const;
      const decided = saying('policy.decision', 'tool', 'decide');
      await approvals.decide(question.id, decision, decided);
      const again = await claimOnly(runs, ref.runId);
      await runs.release([again.lease]);
      const recovered = saying('run.recovered', 'system', 'recover');
      const claimed = await runs.claim(claimRequest({ recovered }));
      await runs.requestCancel(ref.runId, {
        requested: saying('run.cancel_requested', 'system', 'request'),
        cancelled: saying('run.cancelled', 'system', 'never'),
      });
      const leaseId = claimed?.lease.id as LeaseId;
      await answer(storage, { runId: ref.runId, leaseId }, 'finish');
      const waiting = await sayNew(storage, session, 'second');
      await runs.requestCancel(waiting.id, {
        requested: draft('run.cancel_requested'),
        cancelled: saying('run.cancelled', 'assistant', 'cancel'),
      });

      expect(await transcript(storage, session.id)).toEqual([
        'user create',
        'system start',
        'tool append',
        'tool park',
        'tool decide',
        'system recover',
        'system request',
        'assistant finish',
        'user second',
        'assistant cancel',
      ]);
    });

    test('are written with the event or not at all', async () => {
      const { storage, events } = await openRig(open);
      const { runs } = storage;
      const session = await newSession(storage);
      const { run, lease: held } = await claimOnly(
        runs,
        (await sayNew(storage, session, 'one')).id,
      );
      const lost = { ...held, leaseId: 'lease_lost' as LeaseId };
      const before = await storage.sessions.find(session.id);
      const result = () => [saying('tool.result', 'tool', 'refused')];
      const misfit = { step: 'send', id: 'req_unknown' as RequestId } as const;

      const refused = await runs.append(lost, result());
      await runs.finish(lost, result(), COMPLETED);
      await runs.park(lost, result(), newApproval());
      await expect(runs.append(held, result(), [misfit])).rejects.toMatchObject({
        code: 'internal',
      });

      expect(refused).toEqual({ outcome: 'refused', reason: 'lost_lease' });
      expect(await transcript(storage, session.id)).toEqual(['user one']);
      expect(await storage.sessions.find(session.id)).toEqual(before);
      expect(typesOf(await readAll(events, run.id))).toEqual(['run.created', 'run.started']);
      await answer(storage, held, 'answer');
      await runs.append(held, result());
      expect(await transcript(storage, session.id)).toEqual(['user one', 'assistant answer']);
    });

    test('are left out for a run without a session', async () => {
      const { runs, events } = await openRig(open);
      const { id } = await createRun(runs);
      const { lease: held } = await claimOnly(runs, id);

      await runs.append(held, [saying('tool.result', 'tool', 'nowhere')]);

      expect(typesOf(await readAll(events, id))).toEqual([
        'run.created',
        'run.started',
        'tool.result',
      ]);
    });

    test('survive a crash with the run that wrote them', async () => {
      const { storage, reopen } = await openRig(open);
      const session = await newSession(storage);
      const { run, lease: held } = await claimOnly(
        storage.runs,
        (await sayNew(storage, session, 'one')).id,
        'gone-1',
      );
      await storage.runs.append(held, [saying('tool.result', 'tool', 'result')]);
      const before = await storage.sessions.find(session.id);

      const reopened = await reopen();
      await reopened.runs.takeOver('gone-');
      const { lease: next } = await claimOnly(reopened.runs, run.id);

      expect(await reopened.sessions.find(session.id)).toEqual(before);
      await answer(reopened, next, 'answer');
      expect(await transcript(reopened, session.id)).toEqual([
        'user one',
        'tool result',
        'assistant answer',
      ]);
    });

    test('go to the active session of their place after a reopen', async () => {
      const { storage, reopen } = await openRig(open);
      const { session } = await storage.sessions.open(PLACE, newSessionId());
      await sayNew(storage, session, 'one');

      const reopened = await reopen();
      const found = await reopened.sessions.open(PLACE, newSessionId());
      const run = await sayNew(reopened, found.session, 'two');

      expect(found.session.id).toBe(session.id);
      expect(run.exchange).toBe(2);
    });
  });
}

import type { JobId, SessionId } from '../../../core/ids.ts';
import { send } from '../../../core/mail/stored-mail.ts';
import type { Job } from '../../../core/schedule/job.ts';
import type {
  CreateJobResult,
  FiringRef,
  JobBounds,
  JobChange,
  NewJob,
  Notice,
  SkipSlots,
} from '../../../core/schedule/job-store.ts';
import {
  changeJob,
  findFull,
  isStillDue,
  MAX_NOTICES_IN_INBOX,
  moveOn,
  newJob,
} from '../../job-rules.ts';
import { getRow } from '../rows.ts';
import type { CreateRun } from '../runs/create-run.ts';
import type { AppendMessages } from '../sessions/session-writes.ts';
import type { TableWrites } from '../table-writes.ts';
import type { WriteContext } from '../write-context.ts';
import { createFireSlot } from './fire-slot.ts';
import { createFirings, type Firings } from './firing-writes.ts';
import { createJobRows } from './job-rows.ts';

export interface JobWriteParts {
  readonly createRun: CreateRun;
  readonly appendMessages: AppendMessages;
  readonly perform: TableWrites['perform'];
}

export function createJobWrites(context: WriteContext, parts: JobWriteParts) {
  const jobs = createJobRows(context);
  const firings = createFirings(context);
  const setPaused = context.db.prepare('UPDATE scheduler_state SET is_paused = ?');

  return {
    createJob(job: NewJob, bounds: JobBounds): CreateJobResult {
      if (jobs.find(job.id)) return { outcome: 'exists' };
      const full = findFull(jobs.count(job.owner), bounds);
      if (full) return full;
      const created = newJob(job, context.nowMs());
      jobs.save(created);
      return { outcome: 'created', job: created };
    },

    updateJob(id: JobId, change: JobChange, revision: number | undefined): Job | undefined {
      const job = jobs.find(id);
      const changed = job && changeJob(job, { change, revision }, context.nowMs());
      if (changed) jobs.save(changed);
      return changed;
    },

    removeJob(id: JobId): boolean {
      firings.removeAll(id);
      return jobs.remove(id);
    },

    fireSlot: createFireSlot(context, { ...parts, jobs, firings }),

    skipSlots(skipped: SkipSlots): boolean {
      const { jobId, missed } = skipped;
      const job = jobs.find(jobId);
      if (!isStillDue(job, skipped)) return false;
      jobs.save(moveOn(job, skipped));
      const firing = { outcome: 'missed', jobId, atMs: context.nowMs(), ...missed } as const;
      firings.add(jobId, [firing], skipped.keepFirings);
      return true;
    },

    settleFiring: createSettle(context, { ...parts, firings }),
    setPaused: (isPaused: boolean): void => void setPaused.run(isPaused ? 1 : 0),
  };
}

interface SettleParts extends JobWriteParts {
  readonly firings: Firings;
}

function createSettle(context: WriteContext, parts: SettleParts) {
  const { firings, appendMessages, perform } = parts;
  const selectAgent = context.db.prepare('SELECT 1 FROM agents WHERE id = ?');

  function deliver(notice: Notice): void {
    if (notice.channel === 'session') {
      // No more than a text to the port; one that is no session's id finds none.
      appendMessages(notice.sessionId as SessionId, [notice.message]);
    } else if (getRow(selectAgent, notice.mail.to)) {
      perform(send, { mail: notice.mail, maxUndelivered: MAX_NOTICES_IN_INBOX });
    }
  }

  return (ref: FiringRef, notice: Notice | undefined): boolean => {
    const no = firings.findUnsettled(ref);
    if (no === undefined) return false;
    // Before anything has changed: mail under an id that is taken throws.
    if (notice) deliver(notice);
    firings.settle(no);
    return true;
  };
}

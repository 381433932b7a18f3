import { type AgentId, JOB_ID_PATTERN, type JobId } from '../../core/ids.ts';
import type { Job } from '../../core/schedule/job.ts';
import type { Jobs } from '../../core/schedule/jobs.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { decodeHistoryCursor, encodeHistory, encodeJob, encodePreview } from '../http/job-codec.ts';
import type { JobShape } from '../http/job-shapes.ts';
import type { ScheduleAccess, ScheduleReader } from './schedule-access.ts';
import type { JobReader } from './store-readers.ts';

export function createScheduleReader(jobs: JobReader): ScheduleReader {
  return {
    async list({ agent_id: agentId, limit, cursor }) {
      const page = await jobs.list({
        limit,
        ...(agentId === undefined ? {} : { agentId: agentId as AgentId }),
        ...(cursor === undefined ? {} : { after: decodeJobCursor(cursor) }),
      });
      const lastRuns = await jobs.lastFired(page.jobs);
      const shown = page.jobs.map((job) => encodeJob(job, lastRuns.get(job.id)));
      return { jobs: shown, next_cursor: page.next === undefined ? null : encodeCursor(page.next) };
    },

    get: async (id) => show(jobs, await jobs.get(id)),

    async history(id, { limit, cursor }) {
      const before = cursor === undefined ? {} : { before: decodeHistoryCursor(cursor) };
      return encodeHistory(id, await jobs.history(id, { limit, ...before }));
    },

    async preview(id, count) {
      const job = await jobs.get(id);
      return encodePreview(job, await jobs.preview(id, count));
    },

    isPaused: () => jobs.isPaused(),
  };
}

/** In this process, on the store itself. */
export function createLocalSchedule(jobs: Jobs): ScheduleAccess {
  return {
    ...createScheduleReader(jobs),
    create: async (job) => show(jobs, (await jobs.create(job)).job),
    update: async (id, change) => show(jobs, await jobs.update(id, change)),
    remove: (id) => jobs.remove(id),
    pause: async (id) => show(jobs, await jobs.pause(id)),
    resume: async (id) => show(jobs, await jobs.resume(id)),
    pauseAll: () => jobs.pauseAll(),
    resumeAll: () => jobs.resumeAll(),
  };
}

async function show(jobs: JobReader, job: Job): Promise<JobShape> {
  return encodeJob(job, (await jobs.lastFired([job])).get(job.id));
}

function decodeJobCursor(cursor: string): JobId {
  return decodeCursor(cursor, (place) => JOB_ID_PATTERN.test(place)) as JobId;
}

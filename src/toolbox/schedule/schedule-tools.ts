import type { Jobs } from '../../core/schedule/jobs.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { NotifySessions } from './find-notify.ts';
import { createSchedulerAdd } from './scheduler-add.ts';
import { createSchedulerList } from './scheduler-list.ts';
import { createSchedulerRemove } from './scheduler-remove.ts';
import { createSchedulerPause, createSchedulerResume } from './scheduler-switch.ts';

/** Its methods are called when a tool runs and not before, so they may pass on to what is made after the tools. */
export interface ScheduleToolsDeps {
  readonly jobs: Pick<Jobs, 'create' | 'get' | 'list' | 'remove' | 'pause' | 'resume' | 'isPaused'>;
  readonly sessions: NotifySessions;
}

export function createScheduleTools({ jobs, sessions }: ScheduleToolsDeps): readonly Tool[] {
  return [
    createSchedulerList(jobs),
    createSchedulerAdd(jobs, sessions),
    createSchedulerRemove(jobs),
    createSchedulerPause(jobs),
    createSchedulerResume(jobs),
  ];
}

import type { CommandEntry } from '../../program/command-entry.ts';

/** Jobs, which submit runs by themselves. */
export const SCHEDULE_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'schedule list',
    summary: 'List jobs and when they are due',
    group: 'Schedule',
    load: async () => (await import('./schedule-list.ts')).scheduleList,
  },
  {
    name: 'schedule show',
    summary: 'Show a job and its last run',
    group: 'Schedule',
    load: async () => (await import('./schedule-show.ts')).scheduleShow,
  },
  {
    name: 'schedule add',
    summary: 'Add a job: a message for an agent, over and over or once',
    group: 'Schedule',
    load: async () => (await import('./schedule-add.ts')).scheduleAdd,
  },
  {
    name: 'schedule update',
    summary: 'Change a job',
    group: 'Schedule',
    load: async () => (await import('./schedule-update.ts')).scheduleUpdate,
  },
  {
    name: 'schedule remove',
    summary: 'Remove a job; runs it made stay',
    group: 'Schedule',
    load: async () => (await import('./schedule-remove.ts')).scheduleRemove,
  },
  {
    name: 'schedule pause',
    summary: 'Stop firing a job, or all of them',
    group: 'Schedule',
    load: async () => (await import('./schedule-pause.ts')).schedulePause,
  },
  {
    name: 'schedule resume',
    summary: 'Go on firing a job, or all of them',
    group: 'Schedule',
    load: async () => (await import('./schedule-resume.ts')).scheduleResume,
  },
  {
    name: 'schedule history',
    summary: 'Show what became of the times a job was due',
    group: 'Schedule',
    load: async () => (await import('./schedule-history.ts')).scheduleHistory,
  },
  {
    name: 'schedule preview',
    summary: 'Show when a job will be due next',
    group: 'Schedule',
    load: async () => (await import('./schedule-preview.ts')).schedulePreview,
  },
];

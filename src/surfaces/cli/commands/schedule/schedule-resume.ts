import { defineScheduleSwitch } from './define-schedule-switch.ts';

export const scheduleResume = defineScheduleSwitch({
  verb: 'resume',
  description:
    'Goes on with the first time from now on. A job that was due once, in the past, needs a new schedule first. Jobs\n' +
    'that are paused themselves stay so with --all. Through the running server, else in this process.',
  examples: ['claw schedule resume daily', 'claw schedule resume --all'],
});

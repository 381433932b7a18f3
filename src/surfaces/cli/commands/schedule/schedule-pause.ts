import { defineScheduleSwitch } from './define-schedule-switch.ts';

export const schedulePause = defineScheduleSwitch({
  verb: 'pause',
  description:
    'Times that pass while a job is paused are not made up for. With --all nothing is fired, whatever each job says.\n' +
    'Through the running server, else in this process.',
  examples: ['claw schedule pause daily', 'claw schedule pause --all'],
});

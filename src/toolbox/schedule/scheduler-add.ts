import { createHash } from 'node:crypto';
import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { JOB_MODES, NOTIFY_CHANNELS } from '../../core/schedule/job.ts';
import { MAX_JOB_MESSAGE_CHARS } from '../../core/schedule/job-fields.ts';
import type { Jobs } from '../../core/schedule/jobs.ts';
import { MAX_SCHEDULE_CHARS } from '../../core/schedule/parse-schedule.ts';
import { defineTool, type Tool, type ToolContext } from '../../core/tools/tool.ts';
import { describeJob } from './describe-job.ts';
import { findNotify, type NotifySessions } from './find-notify.ts';
import { jobIdField, repairScheduleArguments, textField } from './schedule-fields.ts';

const MAX_NAME_CHARS = 256;
const name = (field: string) => textField(field, MAX_NAME_CHARS).optional();

const input = z.strictObject({
  schedule: textField('schedule', MAX_SCHEDULE_CHARS).describe(
    '"@every <duration>", as in "@every 1h30m", "@in <duration>" for once that long from now, or one moment in RFC 3339, ' +
      'as in "2026-02-18T09:00:00Z". No cron.',
  ),
  message: textField('message', MAX_JOB_MESSAGE_CHARS).describe(
    'What you are to do each time, written so that it makes sense without this conversation.',
  ),
  id: jobIdField('A name for the job; made when left out.').optional(),
  agent_id: name('agent_id').describe('Your own id; jobs for others are refused.'),
  enabled: z.boolean({ error: 'enabled must be true or false' }).optional(),
  mode: z
    .enum(JOB_MODES, { error: `mode must be one of ${JOB_MODES.join(', ')}` })
    .describe('isolated: a fresh context each time (default). main_like: your main session.')
    .optional(),
  timezone: name('timezone').describe('IANA name in which its times are shown; UTC by default.'),
  catch_up: z
    .enum(['none', 'once'], { error: 'catch_up must be none or once' })
    .describe('What to do about times that were missed: nothing (default), or one run for all.')
    .optional(),
  notify: z
    .strictObject({
      channel: z.enum(NOTIFY_CHANNELS, {
        error: `notify.channel must be one of ${NOTIFY_CHANNELS.join(', ')}`,
      }),
      target: textField('notify.target', MAX_NAME_CHARS).default(''),
    })
    .describe('Who is told what came of it: a session of yours or an agent.')
    .optional(),
  session_id: name('session_id').describe('Short for notify with this session.'),
  channel: name('channel').describe('With user_id and room_id: tell your session in this place.'),
  user_id: name('user_id'),
  room_id: name('room_id'),
});

interface Added {
  /** False when the same job was there already. */
  readonly added: boolean;
  readonly job: JsonObject;
}

export function createSchedulerAdd(jobs: Pick<Jobs, 'create'>, sessions: NotifySessions): Tool {
  return defineTool<z.infer<typeof input>, Added>({
    name: 'scheduler.add',
    description:
      'Schedule work for yourself: a message that is sent to you over and over or at one moment. Times that are ' +
      'missed are not made up for unless catch_up says so.',
    effect: 'write',
    idempotent: true,
    // The key names the job when the caller does not, so that a repeated call finds the job it made.
    sendsKey: true,
    serves: 'everyone',
    source: 'src/toolbox/schedule/scheduler-add.ts',
    input,
    repair: repairScheduleArguments,
    summarize: (_, { added, job }) =>
      added ? `added job ${job['job_id']}` : `job ${job['job_id']} was there already`,

    async execute(given, ctx) {
      if (given.agent_id !== undefined && given.agent_id !== ctx.agentId) {
        throw new RuntimeError('policy_denied', 'an agent can schedule work for itself only', {
          details: { agent_id: given.agent_id },
        });
      }
      const notify = await findNotify(sessions, given, ctx);
      const { job, replayed } = await jobs.create({
        id: given.id ?? toJobId(ctx),
        agentId: ctx.agentId,
        owner: ctx.principal,
        schedule: given.schedule,
        message: given.message,
        notify,
        ...defined({
          isEnabled: given.enabled,
          mode: given.mode,
          timezone: given.timezone,
          catchUp: given.catch_up,
        }),
      });
      return { added: !replayed, job: describeJob(job) };
    },
  });
}

const ID_DIGITS = 26;

/** A request that its caller repeats is another run, so the caller's key counts with its principal and not with the run. */
function toJobId(ctx: ToolContext): string {
  const { idempotencyKey, isCallersKey, principal, runId, callId } = ctx;
  const key = JSON.stringify([isCallersKey ? principal : runId, idempotencyKey ?? callId]);
  return `job_${createHash('sha256').update(key).digest('hex').slice(0, ID_DIGITS)}`;
}

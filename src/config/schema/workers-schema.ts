import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS, whole } from './schema-bounds.ts';

/** The section of the config about workers that a product attaches over `/internal/v1`. */
const COMMAND_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

const text = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .refine((value) => !value.includes('\0'), 'must not contain NUL');

const command = z.strictObject({
  command: text(4096).describe('Program to start: a path, or a name that is looked up in PATH.'),
  args: z.array(text(8192)).max(256).default([]).describe('Its arguments.'),
  cwd: text(4096)
    .optional()
    .describe('Folder it starts in, relative to the state root. Absent: the workspace.'),
  env: z
    .array(z.string().regex(VARIABLE_NAME, 'must be the name of an environment variable'))
    .max(256)
    .default([])
    .describe('Names of variables of the server that it is given beside PATH and HOME.'),
});

const processAdapter = z
  .strictObject({
    enabled: z
      .boolean()
      .default(false)
      .describe('Let callers attach workers that are programs on this machine.'),
    commands: z
      .record(
        z
          .string()
          .regex(COMMAND_NAME, 'must be 1 to 64 letters, digits, _ or -')
          .meta({ title: 'name' }),
        command,
      )
      .default({})
      .describe('Programs that may be started, by the name that callers use for them.'),
    max_processes: whole(1, 10_000)
      .default(64)
      .describe('Programs that one server runs at the same time, for all principals together.'),
  })
  .prefault({});

export const workers = z
  .strictObject({
    process: processAdapter,
    max_workers: whole(1, 10_000)
      .default(16)
      .describe('Workers of one principal that may be attached at the same time.'),
    max_queued_requests: whole(1, 10_000)
      .default(128)
      .describe(
        'Requests of one worker that may wait for its answer; one more is answered -32001.',
      ),
    request_timeout_ms: whole(100, HOUR_MS)
      .default(15_000)
      .describe('Time for a worker to answer a request; then it is answered -32000.'),
    heartbeat_stale_after_ms: whole(1000, DAY_MS)
      .default(120_000)
      .describe('A worker that was not heard of for so long is reported as stale.'),
    stop_grace_ms: whole(0, MINUTE_MS)
      .default(2000)
      .describe('Time to end after the input was closed, and again after SIGTERM; then SIGKILL.'),
    max_events_per_worker: whole(100, 10_000_000)
      .default(100_000)
      .describe('Newest events that are kept of one worker.'),
    retention_days: whole(1, 3650)
      .default(30)
      .describe('Days that answers to requests and the events of ended workers are kept.'),
    forget_after_days: whole(1, 36_500)
      .default(365)
      .describe('Days after its end that a worker is removed, with its id and its log.'),
  })
  .prefault({});

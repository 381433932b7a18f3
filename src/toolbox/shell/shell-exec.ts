import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Aim } from '../../core/policy/aim.ts';
import type { CommandRules } from '../../core/policy/command-rules/judge-command.ts';
import { listWrites } from '../../core/policy/command-rules/written-place.ts';
import type { Sandbox, SandboxResult } from '../../core/sandbox/sandbox.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { aimAtPaths } from '../files/paths/path-aims.ts';
import type { PathGuard } from '../files/paths/path-guard.ts';
import { adoptAlias } from '../files/repair-arguments.ts';
import { judgeShellCall } from './judge-shell-call.ts';
import { createPlaceOf } from './place-of.ts';
import { runShellCommand, toArgv } from './run-shell-command.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;
// Beyond this the pipeline would move the output to an artifact anyway.
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_COMMAND_CHARS = 16 * 1024;
const MAX_ARGS = 256;

const plain = (field: string) =>
  z
    .string({
      error: (issue) =>
        `${field} ${issue.input === undefined ? 'is required' : 'must be a string'}`,
    })
    .max(MAX_COMMAND_CHARS, `${field} must be at most ${MAX_COMMAND_CHARS} characters`)
    .refine((text) => !text.includes('\0'), { error: `${field} must not contain NUL` });

const input = z.strictObject({
  command: plain('command')
    .refine((text) => text.trim() !== '', { error: 'command must not be empty' })
    .describe('A program, or a whole line for bash when args are left out.'),
  args: z
    .array(plain('args'), { error: 'args must be a list of strings' })
    .max(MAX_ARGS, `args must be at most ${MAX_ARGS}`)
    .describe('The arguments, passed on as they are.')
    .optional(),
  timeout_ms: z
    .int({ error: 'timeout_ms must be a whole number' })
    .min(1, 'timeout_ms must be at least 1')
    .max(MAX_TIMEOUT_MS, `timeout_ms must be at most ${MAX_TIMEOUT_MS}`)
    .describe(`${DEFAULT_TIMEOUT_MS} when left out.`)
    .optional(),
});

type ShellInput = z.infer<typeof input>;

interface ShellOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
  /** Only when `bash` is not there and another shell ran the command. */
  readonly shell_fallback?: string;
  /** Only when the command failed. */
  readonly error?: string;
  /** Only when it was given. */
  readonly timeout_ms?: number;
  /** Only when a signal ended the command. */
  readonly signal?: string;
  /** Only when the command gave something a name that belongs to the runtime or the operator; it was renamed. */
  readonly refused_names?: readonly string[];
  /** Only when a stream was longer than what is kept of it. */
  readonly truncated?: true;
}

export interface ShellToolDeps {
  readonly rules: CommandRules;
  /** Whose guard knows what a path means; without it, rules about paths do not speak about redirections. */
  readonly guard?: Pick<PathGuard, 'spell'>;
  /** The workspace's path, which commands may name in full. */
  readonly workspace?: string;
  /** Undefined when the operator has not switched one on. There is no way to run commands without. */
  readonly sandbox: Sandbox | undefined;
  /** One was switched on since, and comes with the next start. */
  readonly awaitsRestart?: boolean;
}

export function createShellExec(deps: ShellToolDeps): Tool {
  const { sandbox, guard } = deps;
  const rules: CommandRules = { ...deps.rules, placeOf: createPlaceOf(deps.workspace) };
  return defineTool<ShellInput, ShellOutput>({
    name: 'shell.exec',
    aliases: ['bash.exec', 'terminal.exec', 'terminal.run'],
    description:
      'Run a command in the workspace, inside a sandbox without network. Give a program with args, or a whole line ' +
      'for bash as command. A command that fails is a result with its exit_code and error.',
    effect: 'write',
    requires: 'workspace-write',
    limits: { timeoutMs: MAX_TIMEOUT_MS },
    serves: 'everyone',
    source: 'src/toolbox/shell/shell-exec.ts',
    input,
    repair: (raw) => dropEmptyArgs(adoptAlias(raw, 'command', ['cmd', 'path'])),
    // Without a sandbox nothing runs, and that is what the caller should hear, whatever the rules say.
    ...(sandbox === undefined
      ? {}
      : { judge: (call: ShellInput) => judgeShellCall(rules, toArgv(call)) }),
    aims: (call) => aimsOf(toArgv(call), guard),
    summarize: (call, output) => `${showCommand(call)}: ${output.error ?? 'ok'}`,

    async execute(call, { signal }) {
      if (sandbox === undefined) {
        throw new RuntimeError(
          'sandbox_required',
          `shell.exec runs in a sandbox only, and none is active (sandbox.active); ${
            deps.awaitsRestart
              ? 'it is switched on: restart the server'
              : 'claw enable shell switches it on'
          }`,
        );
      }
      // Again, for callers that come without a pipeline; what a person has approved is theirs to know.
      const judged = judgeShellCall(rules, toArgv(call));
      if (judged.decision === 'deny') {
        throw new RuntimeError('policy_denied', judged.message, {
          details: { command: showCommand(call), reason: 'command_not_allowed' },
        });
      }
      const timeoutMs = call.timeout_ms ?? DEFAULT_TIMEOUT_MS;
      const limits = { timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES };
      const { result, fallback } = await runShellCommand(sandbox, { call, limits, signal });
      return toOutput(call, result, fallback);
    },
  });
}

/** The commands themselves, and the files that their redirections write. */
async function aimsOf(
  argv: readonly string[],
  guard: Pick<PathGuard, 'spell'> | undefined,
): Promise<readonly Aim[]> {
  const files = guard ? listWrites(argv).map((file) => ({ field: 'path', ...file })) : [];
  const written = guard ? await aimAtPaths(guard, ...files) : [];
  return [{ kind: 'command', field: 'command', argv }, ...written];
}

/** No arguments are often sent as an empty list, with a whole line as the command. */
function dropEmptyArgs(raw: JsonObject): JsonObject {
  const { args, ...rest } = raw;
  return args === null || (Array.isArray(args) && args.length === 0) ? rest : raw;
}

function toOutput(
  call: ShellInput,
  { end, stdout, stderr, planted }: SandboxResult,
  fallback: string | undefined,
): ShellOutput {
  const streams = { stdout: stdout.text, stderr: stderr.text };
  const extra = {
    ...defined({ shell_fallback: fallback, timeout_ms: call.timeout_ms }),
    ...(stdout.truncated || stderr.truncated ? { truncated: true as const } : {}),
    ...defined({ refused_names: planted }),
  };
  switch (end.how) {
    case 'exited': {
      const refused = planted && `these names are not for commands: ${planted.join(', ')}`;
      const failed = end.exitCode === 0 ? refused : `exit status ${end.exitCode}`;
      const error = defined({ error: failed });
      const signal = defined({ signal: end.signal });
      return { ...streams, exit_code: end.exitCode, ...error, ...signal, ...extra };
    }
    case 'not_found':
      return { ...streams, exit_code: 127, error: `${call.command}: command not found`, ...extra };
    case 'output_limit':
      return killed(streams, `killed: more than ${end.maxBytes} bytes of output`, extra);
    case 'process_limit':
      return killed(streams, `killed: more than ${end.maxProcesses} processes`, extra);
    case 'timed_out':
      throw timedOut(call.timeout_ms ?? DEFAULT_TIMEOUT_MS, streams);
  }
}

type Streams = Pick<ShellOutput, 'stdout' | 'stderr'>;

function killed(streams: Streams, error: string, extra: Partial<ShellOutput>): ShellOutput {
  return { ...streams, exit_code: 137, error, signal: 'SIGKILL', ...extra };
}

const MAX_TAIL_CHARS = 2_000;

/** A failed call has no output, so the end of what the command said goes with the error. */
function timedOut(timeoutMs: number, { stdout, stderr }: Streams): RuntimeError {
  return new RuntimeError('timeout', `the command was killed after ${timeoutMs} ms`, {
    retryable: false,
    details: {
      timeout_ms: timeoutMs,
      effect: 'unknown',
      stdout: stdout.slice(-MAX_TAIL_CHARS),
      stderr: stderr.slice(-MAX_TAIL_CHARS),
    },
  });
}

const MAX_SHOWN_CHARS = 120;

function showCommand({ command, args = [] }: ShellInput): string {
  const line = [command, ...args].join(' ').replace(/\p{Cc}+/gu, ' ');
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}

import type { Sandbox, SandboxCommand, SandboxResult } from '../../core/sandbox/sandbox.ts';

interface ShellCall {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
}

/** Where else a shell may be when there is no `bash` in the usual places. */
const FALLBACKS = ['/bin/bash', '/usr/bin/bash', 'sh'];

/** What is run for a call: a line with spaces and no arguments is one for the shell. */
export function toArgv({ command, args }: ShellCall): readonly string[] {
  const line = command.trim();
  if (args === undefined && /\s/.test(line)) return ['bash', '-lc', line];
  return [line, ...(args ?? [])];
}

interface ShellRun {
  readonly call: ShellCall;
  readonly limits: Pick<SandboxCommand, 'timeoutMs' | 'maxOutputBytes'>;
  readonly signal: AbortSignal;
}

/** Runs the call; `bash`, and nothing else, is looked for in other places when it is missing. */
export async function runShellCommand(
  sandbox: Sandbox,
  { call, limits, signal }: ShellRun,
): Promise<{ readonly result: SandboxResult; readonly fallback: string | undefined }> {
  const [command = '', ...args] = toArgv(call);
  const result = await sandbox.run({ command, args, ...limits }, signal);
  if (result.end.how !== 'not_found' || command !== 'bash') return { result, fallback: undefined };
  for (const fallback of FALLBACKS) {
    const next = await sandbox.run({ command: fallback, args, ...limits }, signal);
    if (next.end.how !== 'not_found') return { result: next, fallback };
  }
  return { result, fallback: undefined };
}

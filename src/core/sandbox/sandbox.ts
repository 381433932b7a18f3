/** One command for a sandbox. It runs without a shell: whoever wants one names it as the command. */
export interface SandboxCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Where to run, relative to the workspace; its root when left out. */
  readonly cwd?: string;
  /** Added to the few variables that the provider sets; nothing of the server's own environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The most to keep of each stream: its beginning and its end. The rest is counted and thrown away. */
  readonly maxOutputBytes: number;
}

export interface CapturedOutput {
  readonly text: string;
  /** All that was written, kept or not. */
  readonly totalBytes: number;
  readonly truncated: boolean;
}

/** How a command ended. After all but `exited` and `not_found` its whole process tree was killed. */
export type SandboxEnd =
  /** A death by signal is reported as shells do, 128 plus its number; `signal` names it. */
  | { readonly how: 'exited'; readonly exitCode: number; readonly signal?: string }
  | { readonly how: 'not_found' }
  | { readonly how: 'timed_out' }
  | { readonly how: 'output_limit'; readonly maxBytes: number }
  | { readonly how: 'process_limit'; readonly maxProcesses: number };

export interface SandboxResult {
  readonly end: SandboxEnd;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** Names in the workspace that only the runtime and the operator may make; they were renamed. Absent when none. */
  readonly planted?: readonly string[];
}

export type SandboxProbe =
  | {
      readonly available: true;
      readonly version: string;
      /** Protections that this system or version lacks, in words for the operator. */
      readonly weaknesses: readonly string[];
    }
  | { readonly available: false; readonly reason: string };

/**
 * A place where commands can do no harm outside the workspace. `run` throws `sandbox_unavailable` when the place
 * itself can't be made, and the signal's reason on abort; it never runs a command with less protection than asked.
 */
export interface Sandbox {
  readonly name: string;
  /** Really runs a command in it, so that the answer is about this machine and not about a version number. */
  probe(signal?: AbortSignal): Promise<SandboxProbe>;
  run(command: SandboxCommand, signal: AbortSignal): Promise<SandboxResult>;
}

export interface SandboxLimits {
  readonly maxCpuSeconds: number;
  /** Address space of each process; what it maps counts, not what it touches. */
  readonly maxMemoryBytes: number;
  readonly maxProcesses: number;
  readonly maxFileBytes: number;
  readonly maxOpenFiles: number;
  /** The private `/tmp`, which lives in memory and is gone after the command. */
  readonly maxTmpBytes: number;
  /** Output beyond this ends the command: nobody reads it, and it would cost time until the timeout. */
  readonly maxTotalOutputBytes: number;
}

export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  maxCpuSeconds: 600,
  // Runtimes such as Node reserve gigabytes that they never touch; below this they fail to start.
  maxMemoryBytes: 4 * 1024 ** 3,
  maxProcesses: 256,
  maxFileBytes: 1024 ** 3,
  maxOpenFiles: 1024,
  maxTmpBytes: 256 * 1024 ** 2,
  maxTotalOutputBytes: 256 * 1024 ** 2,
};

/** What commands may do with a name in the workspace. */
export type Protection = 'open' | 'read_only' | 'hidden';

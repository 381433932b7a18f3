import { RuntimeError } from '../core/errors.ts';
import {
  DEFAULT_SANDBOX_LIMITS,
  type Sandbox,
  type SandboxCommand,
  type SandboxEnd,
  type SandboxLimits,
  type SandboxResult,
} from '../core/sandbox/sandbox.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import { type BwrapFeatures, probeBwrap } from './bwrap-features.ts';
import { toExited } from './exit-status.ts';
import { openPlace, type Place, type PlaceConfig } from './open-place.ts';
import { type ProcessResult, runProcess } from './run-process.ts';
import { SANDBOX_ENVIRONMENT, SYSTEM_PATH } from './sandbox-environment.ts';
import { createSeccompFilter } from './seccomp-filter.ts';
import { SYSTEM_PATHS } from './system-mounts.ts';
import { sandboxUnavailable, toAbortError } from './unavailable.ts';
import { watchProcessCount } from './watch-process-count.ts';

export interface BwrapConfig extends PlaceConfig {
  readonly limits?: Partial<SandboxLimits>;
  readonly program?: string;
}

const PASSWD = 'agent:x:1000:1000::/tmp:/bin/sh\nnobody:x:65534:65534::/:/usr/sbin/nologin\n';
const GROUP = 'agent:x:1000:\nnogroup:x:65534:\n';

const SECCOMP = createSeccompFilter(process.arch);
const TRAITS = {
  name: 'bwrap',
  systemPaths: SYSTEM_PATHS,
  // Where the machine's calls are not known, what they left behind is looked for afterwards.
  mayHaveSetIds: SECCOMP === undefined,
};

/** Commands in Linux namespaces: no network, no processes but their own, a read-only system, a writable workspace. */
export function createBwrapSandbox(config: BwrapConfig): Sandbox {
  const limits = { ...DEFAULT_SANDBOX_LIMITS, ...config.limits };
  const program = config.program ?? 'bwrap';
  let features: BwrapFeatures | undefined;

  async function findFeatures(): Promise<BwrapFeatures> {
    features ??= await probeBwrap(program);
    return features;
  }

  async function run(command: SandboxCommand, signal: AbortSignal): Promise<SandboxResult> {
    if (signal.aborted) throw toAbortError(signal);
    const known = await findFeatures();
    const place = await openPlace(config, TRAITS, command);
    let result: SandboxResult | undefined;
    try {
      result = await runInside({ place, command, features: known, signal });
    } finally {
      result = await place.leave(result);
    }
    return result as SandboxResult;
  }

  async function runInside({ place, command, features: known, signal }: Inside) {
    const args = bwrapArguments({
      mounts: place.mounts,
      witnesses: place.witnesses,
      hasSeccomp: SECCOMP !== undefined,
      limits,
      features: known,
      cwd: place.cwd,
      env: { ...SANDBOX_ENVIRONMENT, ...place.env },
      argv: [command.command, ...command.args],
    });
    const { result, status } = await start({
      ...{ program, args, limits, command, signal },
      expected: place.expected,
    });
    if (result.end.how === 'aborted') throw toAbortError(signal);
    const end = toEnd(result, status, limits);
    return { end, stdout: result.stdout, stderr: result.stderr };
  }

  return {
    name: 'bwrap',
    run,

    async probe(signal = new AbortController().signal) {
      try {
        // Asked anew each time: the operator may have installed or upgraded it since.
        features = undefined;
        const { version, weaknesses } = await findFeatures();
        const { end, stderr } = await run(PROBE, signal);
        if (end.how === 'exited' && end.exitCode === 0)
          return { available: true, version, weaknesses };
        return {
          available: false,
          reason: `true ended with ${JSON.stringify(end)} ${stderr.text}`,
        };
      } catch (thrown) {
        if (!(thrown instanceof RuntimeError)) throw thrown;
        return { available: false, reason: thrown.message };
      }
    },
  };
}

interface Inside {
  readonly place: Place;
  readonly command: SandboxCommand;
  readonly features: BwrapFeatures;
  readonly signal: AbortSignal;
}

const PROBE: SandboxCommand = {
  command: 'true',
  args: [],
  timeoutMs: 10_000,
  maxOutputBytes: 4096,
};

interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly limits: SandboxLimits;
  readonly command: SandboxCommand;
  readonly signal: AbortSignal;
  readonly expected: string;
}

async function start({ program, args, limits, command, signal, expected }: Start) {
  let status = '';
  let info = '';
  const result = await runProcess(
    {
      file: program,
      args,
      env: { PATH: SYSTEM_PATH },
      timeoutMs: command.timeoutMs,
      maxOutputBytes: command.maxOutputBytes,
      maxTotalOutputBytes: limits.maxTotalOutputBytes,
      // The order is that of the descriptors in `bwrapArguments`.
      pipes: [
        { kind: 'read', onText: (text) => (status += text) },
        { kind: 'read', onText: (text) => (info += text) },
        { kind: 'write', content: PASSWD },
        { kind: 'write', content: GROUP },
        { kind: 'write', content: SECCOMP ?? '' },
        { kind: 'write', content: expected },
      ],
      watch: (stop) =>
        watchProcessCount(
          () => findChildPid(info),
          limits.maxProcesses,
          () => stop('process_limit'),
        ),
    },
    signal,
  );
  return { result, status };
}

function findChildPid(info: string): number | undefined {
  const found = /"child-pid":\s*(\d+)/.exec(info)?.[1];
  return found === undefined ? undefined : Number(found);
}

function toEnd({ end, stderr }: ProcessResult, status: string, limits: SandboxLimits): SandboxEnd {
  switch (end.how) {
    case 'timed_out':
      return { how: 'timed_out' };
    case 'output_limit':
      return { how: 'output_limit', maxBytes: limits.maxTotalOutputBytes };
    case 'process_limit':
      return { how: 'process_limit', maxProcesses: limits.maxProcesses };
    case 'not_spawned':
      throw sandboxUnavailable('bwrap', `the program bwrap can't be run (${end.errno})`);
    case 'aborted':
    case 'exited':
  }
  if (status.startsWith('exposed')) {
    throw sandboxUnavailable('bwrap', 'a command could see what belongs to the runtime');
  }
  // The first process inside says so before it becomes the command; silence means that there was no inside.
  if (status.startsWith('not_found')) return { how: 'not_found' };
  const code = end.how === 'exited' ? end.code : null;
  if (!status.startsWith('started') || code === null) {
    throw sandboxUnavailable('bwrap', stderr.text || 'it ended before the command was started');
  }
  return toExited(code);
}

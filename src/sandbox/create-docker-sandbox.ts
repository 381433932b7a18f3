import { randomUUID } from 'node:crypto';
import { RuntimeError } from '../core/errors.ts';
import {
  DEFAULT_SANDBOX_LIMITS,
  type Sandbox,
  type SandboxCommand,
  type SandboxEnd,
  type SandboxLimits,
  type SandboxResult,
} from '../core/sandbox/sandbox.ts';
import { dockerArguments } from './docker-arguments.ts';
import { toExited } from './exit-status.ts';
import { openPlace, type Place, type PlaceConfig } from './open-place.ts';
import { type ProcessResult, runProcess } from './run-process.ts';
import { SYSTEM_PATH } from './sandbox-environment.ts';
import { sandboxUnavailable, toAbortError } from './unavailable.ts';

export interface DockerConfig extends PlaceConfig {
  readonly image: string;
  readonly limits?: Partial<SandboxLimits>;
  readonly program?: string;
  /** Variables of the client itself, such as DOCKER_HOST; no command sees them. */
  readonly clientEnv?: Readonly<Record<string, string>>;
  /** The owner of what commands write; the server's own user and group. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** The system in there is the image's own. Its engine's filter of calls knows nothing of modes. */
const TRAITS = { name: 'docker', systemPaths: [], mayHaveSetIds: true };

/** A container for each command. It is removed afterwards, however the command ended. */
export function createDockerSandbox(config: DockerConfig): Sandbox {
  const limits = { ...DEFAULT_SANDBOX_LIMITS, ...config.limits };
  const client: Client = {
    program: config.program ?? 'docker',
    env: { PATH: SYSTEM_PATH, ...config.clientEnv },
  };

  async function run(command: SandboxCommand, signal: AbortSignal): Promise<SandboxResult> {
    if (signal.aborted) throw toAbortError(signal);
    const place = await openPlace(config, TRAITS, command);
    let result: SandboxResult | undefined;
    try {
      result = await runInside(place, command, signal);
    } finally {
      result = await place.leave(result);
    }
    return result as SandboxResult;
  }

  async function runInside(place: Place, command: SandboxCommand, signal: AbortSignal) {
    const name = `pincer-${randomUUID()}`;
    const args = dockerArguments({
      name,
      image: config.image,
      mounts: place.mounts,
      limits,
      cwd: place.cwd,
      env: place.env,
      user: config.user,
      argv: [command.command, ...command.args],
    });
    const result = await runProcess(
      {
        file: client.program,
        args,
        env: client.env,
        timeoutMs: command.timeoutMs,
        maxOutputBytes: command.maxOutputBytes,
        maxTotalOutputBytes: limits.maxTotalOutputBytes,
      },
      signal,
    );
    // Killing the client leaves the container running: the engine, not the client, is its parent.
    if (result.end.how !== 'exited') await askDocker(client, ['kill', name]);
    if (result.end.how === 'aborted') throw toAbortError(signal);
    return { end: toEnd(result, limits), stdout: result.stdout, stderr: result.stderr };
  }

  return {
    name: 'docker',
    run,

    async probe(signal = new AbortController().signal) {
      const { end, stdout, stderr } = await askDocker(client, VERSION);
      const version = stdout.text.trim();
      if (end.how !== 'exited' || end.code !== 0 || version === '') {
        const reason =
          end.how === 'not_spawned' ? `docker can't be run (${end.errno})` : stderr.text;
        return { available: false, reason: reason.trim() || 'docker did not answer' };
      }
      try {
        const { end: ended } = await run(PROBE, signal);
        if (ended.how === 'exited' && ended.exitCode === 0) {
          return { available: true, version: `docker ${version}`, weaknesses: [] };
        }
        return { available: false, reason: `true ended with ${JSON.stringify(ended)}` };
      } catch (thrown) {
        if (!(thrown instanceof RuntimeError)) throw thrown;
        return { available: false, reason: thrown.message };
      }
    },
  };
}

const VERSION = ['version', '--format', '{{.Server.Version}}'];
const PROBE: SandboxCommand = {
  command: 'true',
  args: [],
  timeoutMs: 30_000,
  maxOutputBytes: 4096,
};
const MAX_CLIENT_BYTES = 16 * 1024;

interface Client {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

function askDocker(client: Client, args: readonly string[]): Promise<ProcessResult> {
  const spec = {
    file: client.program,
    args,
    env: client.env,
    timeoutMs: 10_000,
    maxOutputBytes: MAX_CLIENT_BYTES,
    maxTotalOutputBytes: MAX_CLIENT_BYTES,
  };
  return runProcess(spec, new AbortController().signal);
}

// Statuses that `docker run` keeps for itself.
const ENGINE_FAILED = 125;
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

function toEnd({ end, stderr }: ProcessResult, limits: SandboxLimits): SandboxEnd {
  switch (end.how) {
    case 'timed_out':
      return { how: 'timed_out' };
    case 'output_limit':
      return { how: 'output_limit', maxBytes: limits.maxTotalOutputBytes };
    case 'process_limit':
      return { how: 'process_limit', maxProcesses: limits.maxProcesses };
    case 'not_spawned':
      throw sandboxUnavailable('docker', `the program docker can't be run (${end.errno})`);
    case 'aborted':
    case 'exited':
  }
  const code = end.how === 'exited' ? end.code : null;
  if (code === null || code === ENGINE_FAILED) {
    throw sandboxUnavailable('docker', stderr.text || 'the engine did not run the command');
  }
  // The engine's own words, since a command's exit with the same status is a result like any other.
  const byEngine = /OCI runtime .*(executable file not found|no such file or directory)/;
  if ((code === NOT_FOUND || code === NOT_EXECUTABLE) && byEngine.test(stderr.text)) {
    return { how: 'not_found' };
  }
  return toExited(code);
}

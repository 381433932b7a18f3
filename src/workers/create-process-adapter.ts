import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { HostedAdapter } from '../core/workers/worker-adapter.ts';
import { childEnvironment } from '../platform/child-environment.ts';
import { signalGroup } from '../platform/process-group.ts';
import { openChildLink } from './open-child-link.ts';
import { killMarked } from './process-mark.ts';
import { createStderrLog } from './stderr-log.ts';

/** What every program needs to find its parts; nothing of it is a credential. */
const INHERITED = ['PATH', 'HOME'];

export interface ProcessSettings {
  readonly isEnabled: boolean;
  readonly commands: Readonly<Record<string, WorkerCommand>>;
}

interface WorkerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Names of variables of ours that it gets beside PATH and HOME. */
  readonly env: readonly string[];
}

export interface ProcessAdapterDeps {
  readonly settings: () => ProcessSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly logger: Logger;
}

/** Workers that are programs on this machine, of those that the operator has named. */
export function createProcessAdapter(deps: ProcessAdapterDeps): HostedAdapter {
  const track = createTracker();

  function getCommand(name: string): WorkerCommand {
    const { isEnabled, commands } = deps.settings();
    if (!isEnabled) {
      throw new RuntimeError(
        'policy_denied',
        'adapter process is off; an operator can turn it on with workers.process.enabled',
      );
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return command;
    const known = Object.keys(commands).sort().join(', ');
    throw new RuntimeError(
      'invalid_input',
      known === '' ? 'no command is configured' : `command must be one of ${known}`,
    );
  }

  return {
    name: 'process',
    kind: 'hosted',

    chooseCommand(wanted) {
      const [only, ...others] = Object.keys(deps.settings().commands);
      const name = wanted ?? (others.length === 0 ? only : undefined) ?? '';
      getCommand(name);
      return name;
    },

    open(worker, listener) {
      const name = worker.command ?? '';
      const { command, args, cwd, env } = getCommand(name);
      const onStderr = createStderrLog(deps.clock, (line) =>
        deps.logger.info(
          { worker_id: worker.id, line: deps.redactor.redactText(line) },
          'worker wrote to its standard error',
        ),
      );
      return openChildLink(
        {
          name,
          command,
          args,
          cwd,
          env: childEnvironment(deps.environment, [...INHERITED, ...env]),
        },
        { clock: deps.clock, listener, onStderr, track },
      );
    },

    reap: killMarked,
  };
}

/** Groups that are killed when this process ends by itself, however that comes; SIGKILL alone gives no chance to. */
function createTracker(): (pid: number) => () => void {
  const pids = new Set<number>();
  const killAll = () => {
    for (const pid of pids) signalGroup(pid, 'SIGKILL');
  };
  return (pid) => {
    if (pids.size === 0) process.on('exit', killAll);
    pids.add(pid);
    return () => {
      pids.delete(pid);
      if (pids.size === 0) process.off('exit', killAll);
    };
  };
}

import type { SandboxLimits } from '../core/sandbox/sandbox.ts';
import type { Mount } from './mount.ts';
import { SANDBOX_ENVIRONMENT } from './sandbox-environment.ts';

export interface DockerPlan {
  readonly name: string;
  readonly image: string;
  readonly mounts: readonly Mount[];
  readonly limits: SandboxLimits;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  readonly argv: readonly string[];
}

export function dockerArguments(plan: DockerPlan): readonly string[] {
  const env = Object.entries({ ...SANDBOX_ENVIRONMENT, ...plan.env });
  return [
    'run',
    '--rm',
    ...['--name', plan.name],
    // An image that is missing is the operator's to fetch; a command must not wait for a download.
    ...['--pull', 'never'],
    '--init',
    ...['--network', 'none'],
    '--read-only',
    ...['--cap-drop', 'ALL'],
    ...['--security-opt', 'no-new-privileges'],
    ...['--hostname', 'sandbox'],
    ...(plan.user ? ['--user', `${plan.user.uid}:${plan.user.gid}`] : []),
    ...resourceLimits(plan.limits),
    ...['--tmpfs', `/tmp:rw,nosuid,nodev,exec,mode=1777,size=${plan.limits.maxTmpBytes}`],
    ...plan.mounts.flatMap(mountArguments),
    ...env.flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...['--workdir', plan.cwd],
    ...['--entrypoint', ''],
    '--',
    plan.image,
    ...plan.argv,
  ];
}

function mountArguments({ path, access }: Mount): readonly string[] {
  switch (access) {
    case 'write':
      return ['--mount', `type=bind,${csv('source', path)},${csv('target', path)}`];
    case 'read':
      return ['--mount', `type=bind,${csv('source', path)},${csv('target', path)},readonly`];
    case 'emptied':
    case 'hidden_directory':
      return ['--mount', `type=tmpfs,${csv('target', path)},tmpfs-size=0,tmpfs-mode=0500`];
    case 'hidden_file':
      return ['--mount', `type=bind,source=/dev/null,${csv('target', path)},readonly`];
  }
}

/** `--mount` takes a line of CSV, in which a path may hold commas and quotes. */
function csv(key: string, path: string): string {
  const field = `${key}=${path}`;
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

function resourceLimits(limits: SandboxLimits): readonly string[] {
  return [
    ...['--memory', String(limits.maxMemoryBytes), '--memory-swap', String(limits.maxMemoryBytes)],
    ...['--pids-limit', String(limits.maxProcesses)],
    ...['--ulimit', `cpu=${limits.maxCpuSeconds}`],
    ...['--ulimit', `fsize=${limits.maxFileBytes}`],
    ...['--ulimit', `nofile=${limits.maxOpenFiles}`],
    ...['--ulimit', 'core=0'],
  ];
}

import type { SandboxLimits } from '../core/sandbox/sandbox.ts';
import type { BwrapFeatures } from './bwrap-features.ts';
import type { Mount } from './mount.ts';
import { procMounts, systemMounts } from './system-mounts.ts';

export interface BwrapPlan {
  readonly mounts: readonly Mount[];
  /** Paths that must lead to nothing inside, or the command is not started. */
  readonly witnesses: readonly string[];
  readonly hasSeccomp: boolean;
  readonly limits: SandboxLimits;
  readonly features: BwrapFeatures;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
}

/** Descriptors that the caller opens for `bwrap`, in the order of its pipes. */
const FD = { status: 3, info: 4, passwd: 5, group: 6, seccomp: 7, mounts: 8 } as const;

const MAX_SHM_BYTES = 64 * 1024 ** 2;

/**
 * The first process inside. Its word on a descriptor that the command never has tells a command's failure from one
 * of the sandbox. Limits are set here and not outside: there the user's other processes would count against them.
 */
const LAUNCHER = `
exposed() { echo exposed >&${FD.status}; exit 126; }
count=$1; shift
while [ "$count" -gt 0 ]; do
  if [ -e "$1" ] || [ -L "$1" ]; then exposed; fi
  shift; count=$((count - 1))
done

# Every mount that was planned is there and leads where it should, and there is no other. In a shell of its own: its
# variables are none of the command's.
(
line='
'
read -r workspace <&${FD.mounts}
found=$line
while read -r _ _ device part point options rest; do
  case $point in "$workspace"|"$workspace"/*) ;; *) continue ;; esac
  case $options in ro|ro,*) mode=ro ;; *) mode=rw ;; esac
  found="$found$device $part $point $mode$line"
  case "$part ${'$'}{rest#*- }" in '/ tmpfs '*) found="${'$'}{found}memory / $point $mode$line" ;; esac
done </proc/self/mountinfo
allowed=$line
while read -r need mode mount; do
  allowed="$allowed$mount$line"
  [ "$need" = must ] || continue
  case $found in
    *"$line$mount ro$line"*) ;;
    *"$line$mount rw$line"*) [ "$mode" = any ] || exposed ;;
    *) exposed ;;
  esac
done <&${FD.mounts}
while read -r _ _ device part point options rest; do
  case $point in "$workspace"|"$workspace"/*) ;; *) continue ;; esac
  case $allowed in *"$line$device $part $point$line"*) continue ;; esac
  case "$part ${'$'}{rest#*- }" in '/ tmpfs '*) ;; *) exposed ;; esac
  case $allowed in *"${'$'}{line}memory / $point$line"*) ;; *) exposed ;; esac
done </proc/self/mountinfo
) || exit 126

command -v -- "$1" >/dev/null 2>&1 || { echo not_found >&${FD.status}; exit 127; }
shift
echo started >&${FD.status}
exec ${Object.values(FD)
  .map((fd) => `${fd}>&-`)
  .join(' ')}
exec "$@"
`;

export function bwrapArguments(plan: BwrapPlan): readonly string[] {
  const [command = '', ...rest] = plan.argv;
  return [
    ...isolation(plan.features),
    ...Object.entries(plan.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemMounts(),
    ...['--ro-bind-data', String(FD.passwd), '/etc/passwd'],
    ...['--ro-bind-data', String(FD.group), '/etc/group'],
    ...procMounts(),
    '--dev',
    '/dev',
    ...privateMemory(plan, '/dev/shm', MAX_SHM_BYTES),
    '--remount-ro',
    '/dev',
    ...privateMemory(plan, '/tmp', plan.limits.maxTmpBytes),
    ...plan.mounts.flatMap(mountArguments),
    // Last: the directories that mounts lie on are made in a root that is in memory and writable until now.
    ...plan.mounts.filter(({ access }) => access === 'emptied').flatMap(sealArguments),
    '--remount-ro',
    '/',
    ...(plan.hasSeccomp ? ['--seccomp', String(FD.seccomp)] : []),
    '--chdir',
    plan.cwd,
    '--info-fd',
    String(FD.info),
    '--',
    ...['/bin/sh', '-c', LAUNCHER, 'sh'],
    ...[String(plan.witnesses.length), ...plan.witnesses, command],
    ...resourceLimits(plan.limits),
    command,
    ...rest,
  ];
}

function isolation(features: BwrapFeatures): readonly string[] {
  return [
    '--unshare-user',
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(features.hasDisableUserns ? ['--disable-userns'] : []),
    '--die-with-parent',
    '--new-session',
    ...['--uid', '1000', '--gid', '1000'],
    ...['--cap-drop', 'ALL'],
    ...['--hostname', 'sandbox'],
    '--clearenv',
  ];
}

function privateMemory(plan: BwrapPlan, path: string, maxBytes: number): readonly string[] {
  const size = plan.features.hasSize ? ['--size', String(maxBytes)] : [];
  return [...size, '--tmpfs', path];
}

function mountArguments({ path, access }: Mount): readonly string[] {
  switch (access) {
    case 'write':
      return ['--bind', path, path];
    case 'read':
      return ['--ro-bind', path, path];
    case 'emptied':
      return ['--tmpfs', path];
    case 'hidden_directory':
      return ['--tmpfs', path, '--remount-ro', path];
    case 'hidden_file':
      return ['--ro-bind', '/dev/null', path];
  }
}

function sealArguments({ path }: Mount): readonly string[] {
  return ['--remount-ro', path];
}

function resourceLimits(limits: SandboxLimits): readonly string[] {
  return [
    'prlimit',
    `--cpu=${limits.maxCpuSeconds}`,
    `--as=${limits.maxMemoryBytes}`,
    `--nproc=${limits.maxProcesses}`,
    `--fsize=${limits.maxFileBytes}`,
    `--nofile=${limits.maxOpenFiles}`,
    '--core=0',
    '--',
  ];
}

import { existsSync, lstatSync, readlinkSync } from 'node:fs';

/** Directories of programs and libraries. On most systems all but `/usr` are links into it. */
const SYSTEM_DIRECTORIES = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** What programs need of `/etc`. Accounts, keys and services of the machine are nobody's business in there. */
const SYSTEM_FILES = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/nsswitch.conf',
  '/etc/pki/tls/certs',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];

/**
 * Parts of `/proc` that belong to the machine. Their writers are checked by user id alone, so a server that runs as
 * root would let a command set `kernel.core_pattern`, and with it run programs outside.
 */
const PROC_READ_ONLY = ['sys', 'irq', 'bus', 'fs', 'driver', 'tty', 'scsi', 'pressure'];
const PROC_HIDDEN = [
  'sysrq-trigger',
  'kcore',
  'keys',
  'key-users',
  'kmsg',
  'kallsyms',
  'mtrr',
  'timer_list',
  'sched_debug',
  'kpagecgroup',
  'kpagecount',
  'kpageflags',
];

/** Everything of the machine that commands see. */
export const SYSTEM_PATHS: readonly string[] = [...SYSTEM_DIRECTORIES, ...SYSTEM_FILES];

/** Arguments of `bwrap` that lay out a read-only system without homes, variable data or accounts. */
export function systemMounts(): readonly string[] {
  const mounts: string[] = [];
  for (const directory of SYSTEM_DIRECTORIES) {
    const found = lstatSync(directory, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) mounts.push('--symlink', readlinkSync(directory), directory);
    else if (found) mounts.push('--ro-bind', directory, directory);
  }
  for (const path of SYSTEM_FILES) mounts.push('--ro-bind-try', path, path);
  return mounts;
}

export function procMounts(): readonly string[] {
  const mounts = ['--proc', '/proc'];
  for (const name of PROC_READ_ONLY) {
    if (existsSync(`/proc/${name}`)) mounts.push('--ro-bind', `/proc/${name}`, `/proc/${name}`);
  }
  for (const name of PROC_HIDDEN) {
    if (existsSync(`/proc/${name}`)) mounts.push('--ro-bind', '/dev/null', `/proc/${name}`);
  }
  return mounts;
}

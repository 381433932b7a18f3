import * as fs from 'node:fs';
import { promisify } from 'node:util';

type Awaitable<T> = T | Promise<T>;

/** How the path guard looks at the disk. */
export interface Looks {
  lstat(path: string): Awaitable<fs.BigIntStats>;
  readlink(path: string): Awaitable<string>;
  realpath(path: string): Awaitable<string>;
  /** A descriptor, for `close`. */
  open(path: string, flags: number): Awaitable<number>;
  fstat(descriptor: number): Awaitable<fs.BigIntStats>;
  close(descriptor: number): Awaitable<void>;
  openEntries(path: string): Awaitable<fs.Dir>;
  /** Null after the last one. */
  nextEntry(entries: fs.Dir): Awaitable<fs.Dirent | null>;
  closeEntries(entries: fs.Dir): Awaitable<void>;
}

const lstat = promisify(fs.lstat);
const readlink = promisify(fs.readlink);
const open = promisify(fs.open);
const fstat = promisify(fs.fstat);
const close = promisify(fs.close);
const BIG = { bigint: true } as const;

/** For disks that may let a look wait, as those behind a network: a thread of the pool waits and not the event loop. */
export const POOLED_LOOKS: Looks = {
  lstat: (path) => lstat(path, BIG),
  readlink: (path) => readlink(path),
  realpath: (path) => fs.promises.realpath(path),
  open: (path, flags) => open(path, flags),
  fstat: (descriptor) => fstat(descriptor, BIG),
  close: (descriptor) => close(descriptor),
  openEntries: (path) => fs.promises.opendir(path),
  nextEntry: (entries) => entries.read(),
  closeEntries: (entries) => entries.close(),
};

/**
 * For disks of this machine, where what the kernel knows of names is in memory: a look takes microseconds, and waking a
 * thread for it ten times as long. A call of a file tool takes a dozen of them.
 */
const ON_THE_SPOT: Looks = {
  lstat: (path) => fs.lstatSync(path, BIG),
  readlink: (path) => fs.readlinkSync(path),
  realpath: (path) => fs.realpathSync.native(path),
  open: (path, flags) => fs.openSync(path, flags),
  fstat: (descriptor) => fs.fstatSync(descriptor, BIG),
  close: (descriptor) => fs.closeSync(descriptor),
  openEntries: (path) => fs.opendirSync(path),
  nextEntry: (entries) => entries.readSync(),
  closeEntries: (entries) => entries.closeSync(),
};

/** File systems of Linux that live on a disk or in the memory of this machine, by their magic numbers. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

const statfs = promisify(fs.statfs);
const MAX_KNOWN_ROOTS = 1_000;
/** A workspace may be replaced by a mount while the server runs. */
const MAX_AGE_MS = 60_000;

interface Known {
  readonly looks: Looks;
  readonly askedAtMs: number;
}

export type FindLooks = (root: string) => Awaitable<Looks>;

/** Asks now and then for each workspace what kind of disk it is on. What is mounted below it is taken to be of that kind. */
export function createFindLooks(
  nowMs: () => number = performance.now.bind(performance),
): FindLooks {
  const known = new Map<string, Known>();

  async function ask(root: string): Promise<Looks> {
    if (process.platform !== 'linux') return POOLED_LOOKS;
    // One that is not there yet is asked for again.
    const type = await statfs(root).then(
      (stats) => stats.type,
      () => undefined,
    );
    if (type === undefined) return POOLED_LOOKS;
    const looks = LOCAL_TYPES.has(type) ? ON_THE_SPOT : POOLED_LOOKS;
    if (known.size >= MAX_KNOWN_ROOTS) known.clear();
    known.set(root, { looks, askedAtMs: nowMs() });
    return looks;
  }

  return (root) => {
    const kept = known.get(root);
    return kept && nowMs() - kept.askedAtMs < MAX_AGE_MS ? kept.looks : ask(root);
  };
}

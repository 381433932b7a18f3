import { readFile, rm } from 'node:fs/promises';
import { isMissing } from '../../platform/errno-of.ts';
import { isRunning } from '../../platform/running-process.ts';
import { replaceStateFile } from './state-file.ts';
import { toStatePaths } from './state-paths.ts';
import { toStorageFault } from './storage-fault.ts';

/** How a command finds the server of a state root. A hint, not a lock: pids are reused, so ask its `/healthz`. */
export interface PublishedServer {
  readonly pid: number;
  readonly url: string;
  /** Which program it is, to the letter. Absent for one that runs unbuilt. */
  readonly build?: string | undefined;
  /** ISO 8601. */
  readonly startedAt: string;
}

export async function publishServer(root: string, server: PublishedServer): Promise<void> {
  const { pid, url, build, startedAt } = server;
  const content = JSON.stringify({ pid, url, build, started_at: startedAt }, null, 2);
  await replaceStateFile(toStatePaths(root).serverFile, `${content}\n`);
}

/** The server that published itself here and whose process is alive. */
export async function findServer(root: string): Promise<PublishedServer | undefined> {
  const server = await readServer(toStatePaths(root).serverFile);
  return server !== undefined && isRunning(server.pid) ? server : undefined;
}

/** Takes the entry away unless another server has replaced it meanwhile. */
export async function unpublishServer(root: string, pid: number): Promise<void> {
  const { serverFile } = toStatePaths(root);
  const server = await readServer(serverFile);
  if (server?.pid === pid) await rm(serverFile, { force: true });
}

async function readServer(path: string): Promise<PublishedServer | undefined> {
  try {
    return decodeServer(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    // Not there, or not ours: either way there is no server to find.
    if (isMissing(cause) || cause instanceof SyntaxError) return undefined;
    throw toStorageFault('read', path, cause);
  }
}

function decodeServer(value: unknown): PublishedServer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, url, build, started_at: startedAt } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return undefined;
  if (typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url)) return undefined;
  if (typeof startedAt !== 'string') return undefined;
  const said = typeof build === 'string' ? { build } : {};
  return { pid: pid as number, url, startedAt, ...said };
}

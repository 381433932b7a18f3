import { readFile, rm } from 'node:fs/promises';
import { toStatePaths } from './state-paths.ts';
import { errorCode, toStorageFault } from './storage-fault.ts';
import { replaceFile } from './write-file.ts';

/** How a command finds the server of a state root. A hint, not a lock: pids are reused, so ask its `/healthz`. */
export interface PublishedServer {
  readonly pid: number;
  readonly url: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

export async function publishServer(root: string, server: PublishedServer): Promise<void> {
  const { pid, url, startedAt } = server;
  const content = JSON.stringify({ pid, url, started_at: startedAt }, null, 2);
  await replaceFile(toStatePaths(root).serverFile, `${content}\n`);
}

/** The server that published itself here and whose process is alive. */
export async function findServer(root: string): Promise<PublishedServer | undefined> {
  const server = await readServer(toStatePaths(root).serverFile);
  return server !== undefined && isAlive(server.pid) ? server : undefined;
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
    const code = errorCode(cause);
    // Not there, or not ours: either way there is no server to find.
    if (code === 'ENOENT' || code === 'ENOTDIR' || cause instanceof SyntaxError) return undefined;
    throw toStorageFault('read', path, cause);
  }
}

function decodeServer(value: unknown): PublishedServer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, url, started_at: startedAt } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return undefined;
  if (typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url)) return undefined;
  return typeof startedAt === 'string' ? { pid: pid as number, url, startedAt } : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // Alive, but another user's.
    return errorCode(cause) === 'EPERM';
  }
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { RuntimeError } from '../../core/errors.ts';
import { isMissing } from '../../platform/errno-of.ts';
import { replaceStateFile } from './state-file.ts';
import { type StatePaths, toStatePaths } from './state-paths.ts';
import { toStorageFault } from './storage-fault.ts';

/** Which database the server of a state root works on: host, port and name, never a password. */
type StorageMark =
  | { readonly engine: 'sqlite' }
  | { readonly engine: 'postgres'; readonly database: string };

/** Left by a server that starts on its storage. Answers with where the data was before, if that was elsewhere. */
export async function leaveStorageMark(
  paths: StatePaths,
  databaseUrl: string | undefined,
): Promise<string | undefined> {
  const before = await findFormerStorage(paths, databaseUrl);
  await writeMark(paths, toMark(databaseUrl));
  return before;
}

/** Where the data of the state root is, if that is another database than this one. */
export async function findFormerStorage(
  paths: StatePaths,
  databaseUrl: string | undefined,
): Promise<string | undefined> {
  const before = await findMark(paths);
  if (before === undefined || isSame(before, toMark(databaseUrl))) return undefined;
  return describe(before, paths);
}

/** A start on another database was refused: the data stays where it is, and recovery may work on the other one. */
export async function noteRefusedMove(
  paths: StatePaths,
  databaseUrl: string | undefined,
): Promise<void> {
  const before = await findMark(paths);
  if (before === undefined) return;
  await writeMark(paths, { ...before, refused_move_to: toMark(databaseUrl) });
}

async function writeMark(paths: StatePaths, mark: object): Promise<void> {
  await replaceStateFile(paths.storageFile, `${JSON.stringify(mark, null, 2)}\n`);
}

/**
 * A command must not work on another database than the server does: it would answer for nothing, or write where nobody
 * looks. Throws with the way out; creates nothing.
 */
export async function assertServersStorage(
  root: string,
  databaseUrl: string | undefined,
  { orRefusedMove = false }: { readonly orRefusedMove?: boolean } = {},
): Promise<void> {
  const paths = toStatePaths(root);
  const servers = await findMark(paths);
  const ours = toMark(databaseUrl);
  if (servers === undefined || isSame(servers, ours)) return;
  const wanted = orRefusedMove ? await readMark(paths.storageFile, 'refused_move_to') : undefined;
  if (wanted !== undefined && isSame(wanted, ours)) return;
  const asks = databaseUrl === undefined ? 'DATABASE_URL is not set' : 'DATABASE_URL names another';
  const fix =
    servers.engine === 'sqlite'
      ? 'unset DATABASE_URL; or start the server with it, which moves this state root to that database'
      : `set DATABASE_URL to postgres://…@${servers.database}; or ask the server while it runs`;
  throw new RuntimeError(
    'config_invalid',
    `the data of this state root is in ${describe(servers, paths)}, but ${asks}`,
    { details: { file: paths.storageFile, hint: fix } },
  );
}

function describe(mark: StorageMark, { databaseFile }: StatePaths): string {
  return mark.engine === 'sqlite' ? databaseFile : `PostgreSQL at ${mark.database}`;
}

function isSame(a: StorageMark, b: StorageMark): boolean {
  if (a.engine === 'sqlite' || b.engine === 'sqlite') return a.engine === b.engine;
  return withOneLoopback(a.database) === withOneLoopback(b.database);
}

/** The names of this machine for itself. Whether two other names are one machine is not looked up. */
function withOneLoopback(database: string): string {
  return database.replace(/^(localhost|127\.0\.0\.1|\[::1\]):/i, 'localhost:');
}

function toMark(databaseUrl: string | undefined): StorageMark {
  if (databaseUrl === undefined) return { engine: 'sqlite' };
  return { engine: 'postgres', database: toDatabaseName(databaseUrl) };
}

/** As much of the URL as tells databases apart. Who signs in, and how, does not. */
function toDatabaseName(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'an address that is no URL';
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname;
  return `${host}:${port === '' ? '5432' : port}${pathname}`;
}

/** A state root of before has no mark; its own database says as much. */
async function findMark(paths: StatePaths): Promise<StorageMark | undefined> {
  const mark = await readMark(paths.storageFile);
  return mark ?? (existsSync(paths.databaseFile) ? { engine: 'sqlite' } : undefined);
}

async function readMark(path: string, part?: 'refused_move_to'): Promise<StorageMark | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (part === undefined) return decodeMark(value);
    return decodeMark((value as Record<string, unknown> | null)?.[part]);
  } catch (cause) {
    if (isMissing(cause) || cause instanceof SyntaxError) return undefined;
    throw toStorageFault('read', path, cause);
  }
}

function decodeMark(value: unknown): StorageMark | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { engine, database } = value as Record<string, unknown>;
  if (engine === 'sqlite') return { engine };
  return engine === 'postgres' && typeof database === 'string' ? { engine, database } : undefined;
}

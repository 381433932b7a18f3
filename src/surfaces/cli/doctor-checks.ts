import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { CliContext } from './context.ts';
import type { Diagnosis, Settings } from './diagnosis.ts';
import { isHealthy } from './remote/http-client.ts';

export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly summary: string;
  readonly fix?: string;
}

/** What a check says; its name is its place in the list. */
export type Verdict = Omit<Finding, 'name'>;

const MIN_NODE = [20, 11] as const;
const RECOMMENDED_NODE = 24;
const LOW_DISK_BYTES = 1024 ** 3;
const FULL_DISK_BYTES = 64 * 1024 ** 2;

export function checkNode(version: string): Verdict {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
    return {
      status: 'fail',
      summary: `Node ${version} is too old`,
      fix: `install Node ${MIN_NODE.join('.')} or newer, ${RECOMMENDED_NODE} is recommended`,
    };
  }
  const advice = major < RECOMMENDED_NODE ? ` (${RECOMMENDED_NODE} is recommended)` : '';
  return { status: 'ok', summary: `Node ${version}${advice}` };
}

export async function checkStateRoot(root: string, stateDir: string): Promise<Verdict> {
  const [existing, deepest] = await Promise.all([findExisting(root), findExisting(stateDir)]);
  try {
    await access(deepest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return {
      status: 'fail',
      summary: `${deepest} can't be written`,
      fix: `chown or chmod ${deepest}, or choose another with --root`,
    };
  }
  if (deepest === stateDir)
    return { status: 'ok', summary: `${root} is in use and can be written` };
  const creates = existing === root ? 'is empty yet' : 'does not exist yet';
  return { status: 'ok', summary: `${root} ${creates}: claw init fills it` };
}

export async function checkDisk(root: string): Promise<Verdict> {
  const place = await findExisting(root);
  const { bavail, bsize } = await statfs(place);
  const freeBytes = bavail * bsize;
  const summary = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free at ${place}`;
  const fix = 'free some space, or choose another disk with --root';
  if (freeBytes < FULL_DISK_BYTES) return { status: 'fail', summary, fix };
  return freeBytes < LOW_DISK_BYTES ? { status: 'warn', summary, fix } : { status: 'ok', summary };
}

export async function checkToken(settings: Settings, tokenFile: string): Promise<Verdict> {
  if (settings.tokenFrom === 'environment') {
    return { status: 'ok', summary: 'the bearer token comes from API_BEARER_TOKEN' };
  }
  if (settings.tokenFrom === undefined) {
    return { status: 'ok', summary: 'no bearer token yet: the first start makes one' };
  }
  const { mode } = await stat(tokenFile);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const shown = (mode & 0o777).toString(8);
    return {
      status: 'warn',
      summary: `${tokenFile} can be read by others (mode ${shown})`,
      fix: `chmod 600 ${tokenFile}`,
    };
  }
  return { status: 'ok', summary: `the bearer token is in ${tokenFile}` };
}

export async function checkServer(context: CliContext): Promise<Verdict> {
  const server = await context.parts.findServer(context.root);
  if (server === undefined) {
    return { status: 'ok', summary: 'no server is running here: claw serve starts one' };
  }
  if (await isHealthy(server.url))
    return { status: 'ok', summary: `a server answers at ${server.url}` };
  return {
    status: 'warn',
    summary: `the server at ${server.url} does not answer`,
    fix: 'look at its log, or restart it',
  };
}

export async function checkPort(context: CliContext, settings: Settings): Promise<Verdict> {
  const { host, port } = settings;
  const address = `${host}:${port}`;
  if (port === 0) return { status: 'ok', summary: 'the server takes any free port' };
  const server = await context.parts.findServer(context.root);
  if (server !== undefined && Number(new URL(server.url).port) === port) {
    return { status: 'ok', summary: `our server has ${address}` };
  }
  const problem = await tryListen(host, port);
  if (problem === undefined) return { status: 'ok', summary: `${address} is free` };
  return {
    status: 'fail',
    summary: `${address} can't be listened on (${problem})`,
    fix: 'choose another with --port or server.port, or stop the program that has it',
  };
}

export async function checkStore(diagnosis: Diagnosis): Promise<Verdict> {
  const { state, summary } = await diagnosis.checkStore();
  if (state !== 'old') return { status: 'ok', summary };
  return { status: 'warn', summary, fix: 'claw serve migrates it; make a backup first' };
}

export async function checkModel(diagnosis: Diagnosis): Promise<Verdict> {
  const { reference, isOffline } = await diagnosis.describeModel();
  if (isOffline) {
    return {
      status: 'warn',
      summary: `${reference}: no real model is configured`,
      fix: 'set CLAW_MODEL and the key of its provider, as OPENAI_API_KEY or ANTHROPIC_API_KEY',
    };
  }
  return { status: 'ok', summary: reference };
}

/** The path itself or the nearest folder above it that is there. */
async function findExisting(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  const above = dirname(path);
  return isThere || above === path ? path : findExisting(above);
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

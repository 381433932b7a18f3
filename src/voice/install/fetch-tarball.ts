import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import { childEnvironment } from '../../platform/child-environment.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { endGroup, GROUP_LEADER } from '../../platform/process-group.ts';
import { digestFile } from './installed.ts';
import type { LocalPackage } from './local-packages.ts';

export interface FetchDeps {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** On a slow line. */
const FETCH_TIMEOUT_MS = 30 * 60_000;
const MAX_OUTPUT_CHARS = 16_384;
const END_GRACE_MS = 1_000;

/** What the user's npm needs to be itself: its settings, the way out, where the user lives. Keys of ours stay here. */
const NPM_VARIABLES =
  /^(npm_config_.*|NPM_TOKEN|NODE_AUTH_TOKEN|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no|all)_proxy|PATH|HOME|USER|LANG|LC_ALL|TMPDIR|XDG_.*|SystemRoot|APPDATA)$/i;

/** The tarball of a package in a folder, verified. One that was brought before is not brought again. */
export async function fetchTarball(
  wanted: LocalPackage,
  folder: string,
  deps: FetchDeps,
): Promise<string> {
  const target = join(folder, `${wanted.name.replace(/[^a-z0-9-]+/g, '_')}-${wanted.version}.tgz`);
  if (await matches(target, wanted)) return target;
  const place = await mkdtemp(join(folder, 'fetch-'));
  try {
    await runNpm(wanted, place, deps);
    const [name] = (await readdir(place)).filter((one) => one.endsWith('.tgz'));
    if (name === undefined) throw failed(wanted, 'npm brought no tarball');
    const brought = join(place, name);
    if (!(await matches(brought, wanted))) {
      throw failed(
        wanted,
        'what the registry sent is not the package that was published under this name',
      );
    }
    await rename(brought, target);
    return target;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function matches(path: string, { integrity }: LocalPackage): Promise<boolean> {
  try {
    return `sha512-${(await digestFile(path, 'sha512')).toString('base64')}` === integrity;
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

/** `npm pack` of a published package unpacks nothing, and so runs nothing of it. */
async function runNpm(wanted: LocalPackage, place: string, deps: FetchDeps): Promise<void> {
  const { environment, clock, signal } = deps;
  const names = Object.keys(environment).filter((name) => NPM_VARIABLES.test(name));
  const child = spawn(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    [
      ...['pack', `${wanted.name}@${wanted.version}`, '--ignore-scripts', '--prefer-offline'],
      ...[
        '--fetch-retries=1',
        '--fetch-retry-mintimeout=1000',
        '--loglevel=error',
        '--no-progress',
      ],
    ],
    {
      cwd: place,
      env: childEnvironment(environment, names),
      stdio: ['ignore', 'ignore', 'pipe'],
      ...GROUP_LEADER,
    },
  );
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = `${complaints}${text}`.slice(-MAX_OUTPUT_CHARS);
  });
  const stop = () => void endGroup(child, clock, END_GRACE_MS);
  const cancel = clock.after(FETCH_TIMEOUT_MS, stop);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    if (code !== 0) throw failed(wanted, readComplaint(complaints));
  } catch (thrown) {
    throw errnoOf(thrown) === 'ENOENT' ? noNpm() : thrown;
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}

/** The line that says why; the rest is where npm keeps its log. */
function readComplaint(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/i, '').trim())
    .filter((line) => line !== '' && !/^(A complete log|npm warn)/i.test(line));
  return lines.slice(0, 3).join('; ').slice(0, 500) || 'npm said nothing about it';
}

function failed({ name, version }: LocalPackage, why: string): RuntimeError {
  return new RuntimeError('provider_failed', `${name}@${version} could not be fetched: ${why}`, {
    details: {
      hint: 'check the network and npm config get registry, then run claw voice install again: what was fetched is kept',
    },
  });
}

function noNpm(): RuntimeError {
  return new RuntimeError('provider_failed', 'there is no npm on the PATH', {
    details: { hint: 'install npm, which comes with Node.js, then run claw voice install again' },
  });
}

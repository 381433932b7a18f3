import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { OwnFile, ProviderKeyPlace, SecretsState, Settings } from './diagnosis.ts';
import type { Verdict } from './doctor-checks.ts';
import { isLoopback } from './doctor-server-checks.ts';

const SECRET_LOOSE_BITS = 0o077;
/** An operator who opened the rest to a group may have meant it. */
const LOOSE_BITS = 0o007;

export function checkToken(settings: Settings, tokenFile: string): Verdict {
  const { tokenFrom, tokenWeakness, host } = settings;
  if (tokenFrom === undefined) {
    return { status: 'ok', summary: 'no bearer token yet: the first start makes one' };
  }
  const isGiven = tokenFrom === 'environment';
  const place = isGiven ? 'API_BEARER_TOKEN' : tokenFile;
  if (tokenWeakness === undefined) {
    return { status: 'ok', summary: `the bearer token is in ${place}` };
  }
  return {
    // Beyond this machine whoever guesses it has everything.
    status: isLoopback(host) ? 'warn' : 'fail',
    summary: `the bearer token in ${place} ${tokenWeakness}`,
    fix: isGiven
      ? 'unset API_BEARER_TOKEN to use a generated one, or set it to one of: openssl rand -base64 32'
      : `delete ${tokenFile}: the next start makes a new one`,
  };
}

/** Files of ours that this user can't use, or others can. */
export async function checkPermissions(files: readonly OwnFile[]): Promise<Verdict> {
  const barred: OwnFile[] = [];
  const loose: { readonly path: string; readonly mode: string; readonly isFolder: boolean }[] = [];
  let found = 0;
  for (const file of files) {
    const stats = await findStats(file.path);
    if (stats === undefined) continue;
    found += 1;
    if (!(await isUsable(file))) barred.push(file);
    if (isLoose(stats, file)) {
      const mode = (stats.mode & 0o777).toString(8);
      loose.push({ path: file.path, mode, isFolder: stats.isDirectory() });
    }
  }
  const [first] = barred;
  if (first !== undefined) {
    const verb = first.needs === 'read' ? 'read' : 'written';
    const rest = barred.length === 1 ? '' : ` (and ${barred.length - 1} more)`;
    return {
      status: 'fail',
      summary: `${first.path} can't be ${verb} by this user${rest}`,
      fix: `chown ${barred.map(({ path }) => path).join(' ')}, or start claw as their owner`,
    };
  }
  if (loose.length > 0) {
    const named = loose.map(({ path, mode }) => `${path} (mode ${mode})`).join(', ');
    return {
      status: 'warn',
      summary: `others may use ${named}`,
      fix: loose.map(({ path, isFolder }) => `chmod ${isFolder ? 700 : 600} ${path}`).join('; '),
    };
  }
  return {
    status: 'ok',
    summary: found === 0 ? 'nothing is stored yet' : 'what is private is open to nobody else',
  };
}

export function checkSecrets({ count, keyPlace }: SecretsState): Verdict {
  if (keyPlace === undefined) return { status: 'ok', summary: 'no secrets are stored yet' };
  const amount = count === 1 ? '1 secret' : `${count} secrets`;
  return { status: 'ok', summary: `${amount}, readable with the master key in ${keyPlace}` };
}

export function checkKeys(keys: readonly ProviderKeyPlace[]): Verdict {
  if (keys.length === 0) return { status: 'ok', summary: 'there are no keys of model providers' };
  const summary = keys.map(({ provider, place }) => `${provider}: ${place}`).join(', ');
  const open = keys.flatMap(({ place, betterPlace }) =>
    betterPlace === undefined
      ? []
      : [`claw secrets set ${betterPlace} and claw config unset ${place}`],
  );
  if (open.length === 0) return { status: 'ok', summary };
  return {
    status: 'warn',
    summary: `${summary}: a key in the configuration file is not encrypted`,
    fix: open.join('; '),
  };
}

function findStats(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

function isUsable({ path, needs }: OwnFile): Promise<boolean> {
  const mode = needs === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK;
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

function isLoose({ mode }: Stats, { isSecret }: OwnFile): boolean {
  return (mode & (isSecret ? SECRET_LOOSE_BITS : LOOSE_BITS)) !== 0;
}

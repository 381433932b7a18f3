import { toChmod } from '../../../../core/security/access-checks.ts';
import { isLoopback } from '../../../../core/security/is-loopback.ts';
import { judgeFiles, type OwnFile } from '../../../../core/security/judge-files.ts';
import { judgeToken } from '../../../../core/security/judge-token.ts';
import { MIN_TOKEN_CHARS, type TokenWeakness } from '../../../../core/security/token-weakness.ts';
import { lookAtFiles } from '../../../../platform/look-at-files.ts';
import type { ProviderKeyPlace, SecretsState, Settings } from './diagnosis.ts';
import { toDoctorStatus, type Verdict } from './doctor-checks.ts';

const WEAKNESSES: Readonly<Record<TokenWeakness, string>> = {
  known: 'is one that everybody knows',
  short: `has fewer than ${MIN_TOKEN_CHARS} characters`,
  monotonous: 'is made of too few different characters',
};

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
    status: toDoctorStatus(judgeToken(tokenWeakness, !isLoopback(host))),
    summary: `the bearer token in ${place} ${WEAKNESSES[tokenWeakness]}`,
    fix: isGiven
      ? 'unset API_BEARER_TOKEN to use a generated one, or set it to one of: openssl rand -base64 32'
      : `delete ${tokenFile}: the next start makes a new one`,
  };
}

/** Files of ours that this user can't use, or others can. */
export async function checkPermissions(files: readonly OwnFile[]): Promise<Verdict> {
  const found = await lookAtFiles(files);
  const { barred, loose } = judgeFiles(found);
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
    const named = loose.map(({ path, mode }) => `${path} (mode ${mode.toString(8)})`).join(', ');
    return { status: 'warn', summary: `others may use ${named}`, fix: toChmod(loose) };
  }
  return {
    status: 'ok',
    summary:
      found.length === 0 ? 'nothing is stored yet' : 'what is private is open to nobody else',
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

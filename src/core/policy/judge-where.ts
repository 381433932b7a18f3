import type { JsonObject } from '../json.ts';
import { type Aim, spellUrl } from './aim.ts';
import { judgeCommand } from './command-rules/judge-command.ts';

/** Which calls a rule is about: those whose argument begins with, or lies in, what `prefix` names. */
export interface Where {
  readonly field: string;
  readonly prefix: string;
}

/**
 * How much of a call a rule is about. Refusing and asking need `some` of it, allowing needs `all`: a call that also
 * reaches elsewhere was not what the operator allowed.
 */
export type Coverage = 'all' | 'some' | 'none';

/** `path` stands for every path argument of a call, `url` for every URL. */
export async function coverCall(
  where: Where,
  input: JsonObject,
  aims: readonly Aim[],
): Promise<Coverage> {
  const relevant = aims.filter((aim) => isAbout(where.field, aim));
  if (relevant.length === 0) return coverText(where.prefix, input[where.field]);
  const covered = await Promise.all(relevant.map((aim) => coverAim(where.prefix, aim)));
  if (covered.every((coverage) => coverage === 'all')) return 'all';
  return covered.some((coverage) => coverage !== 'none') ? 'some' : 'none';
}

function isAbout(field: string, aim: Aim): boolean {
  if (aim.field === field) return true;
  return field === 'path' ? aim.kind === 'path' || aim.kind === 'tree' : field === aim.kind;
}

async function coverAim(prefix: string, aim: Aim): Promise<Coverage> {
  switch (aim.kind) {
    case 'path':
    case 'tree':
      return coverPath(prefix, aim);
    case 'url':
      return coverUrl(prefix, aim.url);
    case 'command':
      return coverCommand(prefix, aim.argv);
  }
}

/** Arguments that nobody explained are compared as they are written, and as a path would be. */
function coverText(prefix: string, value: unknown): Coverage {
  if (typeof value !== 'string') return 'none';
  if (value === prefix || isWithin(plainPath(value), plainPath(prefix))) return 'all';
  const isBegun = value.startsWith(prefix) || plainPath(value).startsWith(plainPath(prefix));
  return isBegun ? 'all' : 'none';
}

type PathAim = Extract<Aim, { kind: 'path' | 'tree' }>;

async function coverPath(prefix: string, aim: PathAim): Promise<Coverage> {
  const named = [await aim.respell(prefix === '' ? '.' : prefix), plainPath(prefix)];
  if (isWithin(aim.path, named[0] as string)) return 'all';
  return named.some((path) => touches(aim, path, prefix)) ? 'some' : 'none';
}

function touches({ kind, path }: PathAim, named: string, prefix: string): boolean {
  if (isWithin(path, named)) return true;
  if (kind === 'tree' && isWithin(named, path)) return true;
  // Without a slash a rule may mean the beginning of a name; that is enough to refuse, and not to allow.
  return !prefix.endsWith('/') && path.startsWith(named);
}

/** Whether a path is the named one or lies inside it. */
function isWithin(path: string, named: string): boolean {
  const folder = named.replace(/\/$/, '');
  return folder === '.' || folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function coverUrl(prefix: string, url: string): Coverage {
  const named = spellUrl(prefix);
  const [bare = ''] = url.split('?');
  if (named !== undefined) {
    const folder = named.replace(/\/$/, '');
    if (url === named || bare === folder || bare.startsWith(`${folder}/`)) return 'all';
    if (url.startsWith(named.includes('?') ? named : `${named}?`)) return 'all';
    if (url.startsWith(named)) return 'some';
  }
  return url.startsWith(prefix.toLowerCase()) ? 'some' : 'none';
}

/** By the words of the commands that would run, wherever on a line they stand. */
function coverCommand(prefix: string, argv: readonly string[]): Coverage {
  const none = { allow: [], ask: [], deny: [] };
  const allowed = judgeCommand({ ...none, allow: [prefix], otherwise: 'deny' }, argv);
  if (allowed.verdict === 'allow') return 'all';
  const denied = judgeCommand({ ...none, allow: ['*'], deny: [prefix], otherwise: 'ask' }, argv);
  return denied.verdict === 'allow' && !argv.join(' ').startsWith(prefix) ? 'none' : 'some';
}

/** `./a//b/../c` is `a/c`: another spelling of a path must not walk around a rule. */
function plainPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  const root = path.startsWith('/') ? '/' : '';
  return `${root}${names.join('/')}${names.length > 0 && path.endsWith('/') ? '/' : ''}`;
}

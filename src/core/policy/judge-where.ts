import type { JsonObject } from '../json.ts';
import { type Aim, spellUrl } from './aim.ts';
import { judgeCommand } from './command-rules/judge-command.ts';
import { plainPath } from './plain-path.ts';

/**
 * Which calls a rule is about: those whose argument begins with, or lies in, what `prefix` names, or is what `equals`
 * names. One of the two is given.
 */
export interface Where {
  readonly field: string;
  readonly prefix?: string | undefined;
  readonly equals?: string | undefined;
}

/** How much of a call a rule is about. */
type Coverage = 'all' | 'some' | 'none';

export interface Reach {
  readonly coverage: Coverage;
  /** 0 for a rule about all calls of a tool; of two rules about one call, the narrower says more of its argument. */
  readonly narrowness: number;
}

const EVERYWHERE: Reach = { coverage: 'all', narrowness: 0 };

/** `path` stands for every path argument of a call, `url` for every URL. */
export async function reachCall(
  where: Where | undefined,
  input: JsonObject,
  aims: readonly Aim[],
): Promise<Reach> {
  const relevant = where ? aims.filter((aim) => isAbout(where.field, aim)) : [];
  const [first] = relevant;
  if (where === undefined || first === undefined) return reachWords(where, input);
  const covered = await Promise.all(relevant.map((aim) => coverAim(where, aim)));
  const named = await spellLike(first, textOf(where));
  return { coverage: join(covered), narrowness: measure(where, named) };
}

/** By the words of an argument alone, which is all there is of arguments that nobody explains. */
export function reachWords(where: Where | undefined, input: JsonObject): Reach {
  if (where === undefined) return EVERYWHERE;
  const coverage = coverText(where, input[where.field]);
  return { coverage, narrowness: measure(where, plainPath(textOf(where))) };
}

function join(covered: readonly Coverage[]): Coverage {
  if (covered.every((coverage) => coverage === 'all')) return 'all';
  return covered.some((coverage) => coverage !== 'none') ? 'some' : 'none';
}

function textOf({ prefix = '', equals }: Where): string {
  return equals ?? prefix;
}

/** In one spelling for all rules, or a long way to say a wide place would pass for a narrow one. */
async function spellLike(aim: Aim, text: string): Promise<string> {
  if (aim.kind === 'path' || aim.kind === 'tree') return aim.respell(text === '' ? '.' : text);
  return (aim.kind === 'url' ? spellUrl(text) : undefined) ?? text;
}

/** The one thing that is named is narrower than all that begins like it. */
function measure({ equals }: Where, named: string): number {
  const length = named === '.' ? 0 : named.replace(/\/$/, '').length;
  return equals === undefined ? length : length + 1;
}

function isAbout(field: string, aim: Aim): boolean {
  if (aim.field === field) return true;
  return field === 'path' ? aim.kind === 'path' || aim.kind === 'tree' : field === aim.kind;
}

async function coverAim({ prefix = '', equals }: Where, aim: Aim): Promise<Coverage> {
  if (equals !== undefined) return coverEqual(equals, aim);
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

async function coverEqual(equals: string, aim: Aim): Promise<Coverage> {
  switch (aim.kind) {
    case 'path':
      return (await spellBoth(aim, equals)).includes(aim.path) ? 'all' : 'none';
    case 'tree': {
      const named = await spellBoth(aim, equals);
      // It reaches more than the one thing that is named.
      return named.some((path) => isWithin(path, aim.path)) ? 'some' : 'none';
    }
    case 'url':
      return aim.url === spellUrl(equals) ? 'all' : 'none';
    case 'command':
      return aim.argv.join(' ') === equals ? 'all' : 'none';
  }
}

/** Arguments that nobody explained are compared as they are written, and as a path would be. */
function coverText({ prefix = '', equals }: Where, value: unknown): Coverage {
  if (typeof value !== 'string') return 'none';
  if (equals !== undefined) {
    return value === equals || plainPath(value) === plainPath(equals) ? 'all' : 'none';
  }
  if (value === prefix || isWithin(plainPath(value), plainPath(prefix))) return 'all';
  const isBegun = value.startsWith(prefix) || plainPath(value).startsWith(plainPath(prefix));
  return isBegun ? 'all' : 'none';
}

type PathAim = Extract<Aim, { kind: 'path' | 'tree' }>;

async function coverPath(prefix: string, aim: PathAim): Promise<Coverage> {
  const [real, entry] = await spellBoth(aim, prefix === '' ? '.' : prefix);
  if (isWithin(aim.path, real)) return 'all';
  const named = [real, entry, plainPath(prefix)];
  return named.some((path) => touches(aim, path, prefix)) ? 'some' : 'none';
}

/** A rule that names a link is about what it leads to, and about the link: some calls reach the one, some the other. */
async function spellBoth({ respell }: PathAim, path: string): Promise<[string, string]> {
  return [await respell(path), await respell(path, { asEntry: true })];
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

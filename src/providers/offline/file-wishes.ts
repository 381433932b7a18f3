import { cutAtLast, parseSpokenName, type SpokenName } from './spoken-name.ts';
import { call, say, type Understand, type Wish } from './wish.ts';

const READ =
  /^(read|open|print|cat|display|view|show|see|look\s+at)\s+(?:me\s+)?(?:(?:the\s+)?(?:contents?|text)\s+of\s+|what(?:'s|\s+is)\s+(?:in|inside)\s+)?(.+)$/i;
const WHAT_IN =
  /^what(?:'s|s|\s+is|\s+are)?\s+(?:(?:written\s+)?(?:in|inside)|the\s+contents?\s+of)\s+(.+)$/i;
const WHAT_SAYS = /^what\s+does\s+(.+)\s+(?:say|contain|hold)$/i;

export const understandRead: Understand = ({ bare }) => {
  const [, verb = '', shown = ''] = READ.exec(bare) ?? [];
  const asked = WHAT_IN.exec(bare)?.[1] ?? WHAT_SAYS.exec(bare)?.[1];
  const name = parseSpokenName(asked ?? shown);
  if (!name) return undefined;
  if (name.isFolder) return call('fs.list', { path: trimSlash(name.path) });
  // Looking does no harm: a name without an ending is a folder more often than not.
  if (asked !== undefined && !/\.[^./]+$/.test(name.path))
    return call('fs.list', { path: name.path });
  const isNamed =
    name.certainty !== 'word' || /^cat$/i.test(verb) || /^[A-Z][\w-]*$/.test(name.path);
  return isNamed ? call('fs.read', { path: name.path }) : undefined;
};

const DELETE = /^(?:delete|remove|erase|rm|del|unlink|trash|get\s+rid\s+of|throw\s+away)\s+(.+)$/i;
const SEVERAL =
  /^-|[*?]|,|\s(?:and|or)\s|^(?:all|every|everything|both|each)\b|\bfiles$|^(?:\.{1,2}|~|\/)\/*$/i;

/** There is no way back: whatever is not clear is asked. */
export const understandDelete: Understand = ({ bare }) => {
  const rest = DELETE.exec(bare)?.[1];
  if (rest === undefined) return undefined;
  const name = parseSpokenName(rest);
  const isQuoted = name !== undefined && /["'`]/.test(rest);
  if (!isQuoted && SEVERAL.test(rest)) {
    return say('I delete one at a time. Which file? As in: delete notes.txt');
  }
  if (!isQuoted && /\sfrom\s/i.test(rest)) {
    return say('I can delete whole files only. Which file? As in: delete notes.txt');
  }
  if (!name || name.certainty === 'word')
    return say('Which file should I delete? As in: delete notes.txt');
  if (name.certainty === 'spaced') return say(IN_QUOTES);
  if (!name.isFolder) return call('fs.delete', { path: name.path });
  const input = JSON.stringify({ path: trimSlash(name.path), recursive: true });
  return say(
    `That would delete the folder with all that is in it. If you mean that: /tool fs.delete ${input}`,
  );
};

const MOVE = /^(rename|move|mv|change\s+the\s+name\s+of)\s+(.+)$/i;
const TO = /\s+(?:to|into|as|->|=>)\s+/gi;

export const understandMove: Understand = ({ bare }) => {
  if (/^(?:copy|cp|duplicate)\s/i.test(bare)) return understandCopy(bare);
  const [, verb = '', rest = ''] = MOVE.exec(bare) ?? [];
  if (verb === '') return undefined;
  const pairs = /^mv$/i.test(verb) ? cutAtLast(rest, /\s+/g) : cutAtLast(rest, TO);
  for (const [from, to] of pairs) {
    const source = parseSpokenName(from);
    if (!source || source.certainty === 'word') continue;
    const isInto = /\sinto\s+$/i.test(rest.slice(0, rest.length - to.length));
    return moveTo(source, parseSpokenName(to), { isInto, isRename: !/^(?:move|mv)$/i.test(verb) });
  }
  const alone = parseSpokenName(rest);
  if (alone && alone.certainty !== 'word')
    return say(`To what? As in: rename ${alone.path} to new-name.txt`);
  return undefined;
};

function moveTo(
  source: SpokenName,
  target: SpokenName | undefined,
  { isInto, isRename }: { readonly isInto: boolean; readonly isRename: boolean },
): Wish {
  if (source.certainty === 'spaced' || !target || target.certainty === 'spaced')
    return say(IN_QUOTES);
  const { path } = target;
  if (target.isFolder || isInto)
    return move(source.path, `${trimSlash(path)}/${baseName(source.path)}`);
  if (target.certainty === 'certain' || isRename) return move(source.path, path);
  return say(`Is ${path} a folder? Then say: move ${source.path} to ${path}/`);
}

function understandCopy(bare: string): Wish | undefined {
  const [from = ''] = bare.replace(/^\S+\s+/, '').split(/\s+(?:to|into|as)\s+/i);
  const name = parseSpokenName(from);
  if (!name || name.certainty === 'word') return undefined;
  return say(`I have no tool to copy a file. Read it, and write what it holds: read ${name.path}`);
}

const IN_QUOTES =
  'A name with spaces goes in quotes, so that I touch no other file: delete "old report.txt"';

function move(source: string, target: string): Wish {
  const parents = target.includes('/') ? { create_parents: true } : {};
  return call('fs.move', { src: source, dst: target, ...parents });
}

function baseName(path: string): string {
  return trimSlash(path).replace(/^.*\//, '');
}

function trimSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}

import type { JsonObject } from '../../core/json.ts';
import { cutAtLast, findQuoted, parseSpokenName } from './spoken-name.ts';
import { call, say, type Understand, type Wish } from './wish.ts';

const LIST =
  /^(?:list|show|display|print|give|what|which|see)\s+(?:me\s+)?(?:(?:all|the|my|our|of)\s+)*(files|folders|director(?:y|ies)|entries|everything|contents|workspace)(?:\s+and\s+(?:files|folders|directories))?(?:\s+(?:are|is|do|can|exist)(?:\s+(?:i|we|you|there|here))?(?:\s+(?:have|see))?)?(?:\s+(?:there|here))?(?:\s+(?:in|of|under|from|inside)\s+(.+))?$/i;
const LIST_NAME = /^(?:list|ls|dir)(?:\s+(.+))?$/i;
const FOLDER_SHOWN = /^show\s+(?:me\s+)?(.+\s(?:folder|directory))$/i;

export const understandList: Understand = ({ bare }) => {
  const [, what, place] = LIST.exec(bare) ?? [];
  if (what !== undefined) {
    const name = place === undefined ? undefined : parseSpokenName(place);
    // The contents of a file are to be read.
    if (/^contents$/i.test(what) && name?.isFolder !== true) return undefined;
    return place === undefined || name
      ? call('fs.list', { path: toFolder(name?.path ?? '.') })
      : undefined;
  }
  const [matched, named] = LIST_NAME.exec(bare) ?? FOLDER_SHOWN.exec(bare) ?? [];
  if (matched === undefined) return undefined;
  if (named === undefined) return /^list$/i.test(bare) ? undefined : call('fs.list', { path: '.' });
  const name = parseSpokenName(named);
  return name && name.certainty !== 'spaced'
    ? call('fs.list', { path: toFolder(name.path) })
    : undefined;
};

const GLOB =
  /^(?:find|list|show|search\s+for|which|what|are\s+there)\s+(?:me\s+)?(?:(?:all|the|every|any|my)\s+)*(?:files?\s+(?:named|called|matching|ending\s+(?:in|with))\s+)?(\.\w{1,10}|[^\s"'`]*\*[^\s"'`]*)(?:\s+(?:files?|documents?))?(?:\s+(?:in|under|from|inside)\s+(.+))?$/i;
const WHERE_FILE = /^(?:where(?:'s|\s+is|\s+are)|find|locate|look\s+for|search\s+for)\s+(.+)$/i;

/** Files by their names. */
export const understandFindFiles: Understand = ({ bare }) => {
  const [, pattern, place] = GLOB.exec(bare) ?? [];
  if (pattern !== undefined) {
    const name = place === undefined ? undefined : parseSpokenName(place);
    if (place !== undefined && !name) return undefined;
    const named = pattern.startsWith('.') ? `*${pattern}` : pattern;
    const folder = name === undefined || name.path === '.' ? '' : `${toFolder(name.path)}/`;
    return call('fs.glob', { pattern: `${folder}${named.includes('/') ? '' : '**/'}${named}` });
  }
  const wanted = WHERE_FILE.exec(bare)?.[1] ?? '';
  if (/\s(?:in|inside|under|within)\s/i.test(wanted) || findQuoted(wanted) !== undefined)
    return undefined;
  const name = parseSpokenName(wanted);
  const isFile = name !== undefined && name.certainty === 'certain' && !name.isFolder;
  if (!isFile || !(/\.\w{1,8}$/.test(name.path) || /\bfile\b/i.test(wanted))) return undefined;
  return call('fs.glob', { pattern: `**/${escapeGlob(name.path)}` });
};

const SEARCH_PLACE_FOR = /^(?:search|scan|grep|look|check)\s+(?:through\s+|in\s+)?(.+)$/i;
const SEARCH = /^(?:search(?:\s+for)?|grep(?:\s+for)?|look\s+for|scan\s+for|find)\s+(.+)$/i;
const WHICH_CONTAIN =
  /^(?:which|what)\s+files?\s+(?:contains?|mentions?|uses?|includes?|has|have)\s+(.+)$/i;
const WHERE_USED = /^where\s+(?:is|are)\s+(.+)\s+(?:used|mentioned|defined|called)$/i;
const EVERYWHERE =
  /^(?:(?:all\s+|the\s+|my\s+)*(?:files|code|workspace|project|everything|everywhere))$/i;
const WEB = /\b(?:web|internet|online|google|net)\b/i;
const IN = /\s+(?:in|inside|under|within)\s+/gi;
const SPOKEN_TO = /^(?:me|out|someone|somebody|a|an|some|my)\s/i;

export const understandSearch: Understand = ({ bare }) => {
  const text = WHICH_CONTAIN.exec(bare)?.[1] ?? WHERE_USED.exec(bare)?.[1];
  if (text !== undefined) return search(text);
  const about = SEARCH_PLACE_FOR.exec(bare)?.[1] ?? '';
  const cut = about.search(/\s+for\s+/i);
  if (cut > 0) {
    const place = about.slice(0, cut);
    const wanted = about.slice(cut).replace(/^\s+for\s+/i, '');
    if (WEB.test(place)) return say('I can not search the web: the offline model uses no network.');
    if (EVERYWHERE.test(place)) return searchIn(wanted);
    const name = parseSpokenName(place);
    if (name && name.certainty !== 'spaced') return search(wanted, toFolder(name.path));
  }
  const wanted = SEARCH.exec(bare)?.[1];
  return wanted === undefined || SPOKEN_TO.test(wanted) ? undefined : searchIn(wanted);
};

/** `X in PLACE`, where the place may be missing. */
function searchIn(wanted: string): Wish {
  if (findQuoted(wanted) !== undefined) return search(wanted);
  for (const [text, place] of cutAtLast(wanted, IN)) {
    if (EVERYWHERE.test(place)) return search(text);
    const name = parseSpokenName(place);
    if (name && name.certainty !== 'spaced' && text.trim() !== '')
      return search(text, toFolder(name.path));
    break;
  }
  return search(wanted);
}

const WORDS_BEFORE =
  /^(?:(?:all|every|any)\s+)?(?:occurrences?\s+of\s+)?(?:the\s+)?(?:(?:word|words|text|string|phrase|term)\s+)?/i;

function search(given: string, path?: string): Wish {
  const bare = findQuoted(given) ?? given.trim().replace(WORDS_BEFORE, '').trim();
  const text = findQuoted(bare) ?? bare;
  if (text === '') return say('What should I look for? As in: search for TODO in src');
  // The tool takes a pattern; a person who asks in plain words means the words.
  const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const input: JsonObject = path === undefined || path === '.' ? { pattern } : { pattern, path };
  return call('code.search', input);
}

function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}\\]/g, '\\$&');
}

function toFolder(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}

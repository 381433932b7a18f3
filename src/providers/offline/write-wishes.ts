import { cutAtLast, findQuoted, parseSpokenName, type SpokenName } from './spoken-name.ts';
import { call, say, type Understand, type Wish } from './wish.ts';

const TO_COLON =
  /^(write|save|put|append|add)\s+(?:in)?to\s+(?:the\s+)?(?:file\s+)?("[^"\n]+"|[^\s"'`:]+):\s*([\s\S]+)$/i;

/** `write to notes.txt: …`: whatever follows is the text, as it is and however long. */
export const understandTextBehindColon: Understand = ({ body }) => {
  const [, verb = '', place = '', text = ''] = TO_COLON.exec(body) ?? [];
  const name = place === '' ? undefined : parseSpokenName(`file ${place}`);
  if (!name) return undefined;
  return /^a/i.test(verb) ? append(name, text) : write(name, text);
};

const CREATE =
  /^(?:create|make|write|start|touch)\s+(?:(?:the|a|an)\s+)?((?:(?:new|empty|text)\s+)*file\s+)?([\s\S]+)$/i;
const WITH =
  /\s+(?:with|containing|saying|(?:that|which)\s+(?:says|contains|reads))(?:\s+(?:the\s+)?(?:content|contents|text|words?))?:?\s+/i;

/** `create a file called a.txt with …`; without a text it only makes sure that the file is there. */
export const understandCreate: Understand = ({ body, bare }) => {
  if (
    /^(?:create|make|add)\s+(?:a\s+|the\s+)?(?:new\s+|empty\s+)*(?:folder|directory)\b|^mkdir\b/i.test(
      bare,
    )
  ) {
    return say('I have no tool for an empty folder. Write a file into it, and the folder is made.');
  }
  const [, said, rest = ''] = CREATE.exec(body) ?? [];
  const cut = WITH.exec(rest);
  if (cut) {
    const name = parseSpokenName(`${said ?? ''}${rest.slice(0, cut.index)}`);
    if (name?.certainty === 'certain')
      return write(name, toContent(rest.slice(cut.index + cut[0].length)));
    return undefined;
  }
  const [, saidBare, bareRest = ''] = CREATE.exec(bare) ?? [];
  const isAsked = saidBare !== undefined || /^(?:create|touch)\s/i.test(bare);
  const name = isAsked ? parseSpokenName(`${saidBare ?? ''}${bareRest}`) : undefined;
  // Appending nothing creates what is missing and leaves alone what is there.
  return name?.certainty === 'certain' && !name.isFolder ? append(name, '') : undefined;
};

const WRITE = /^(?:write|save|put|store|jot\s+down|note\s+down)\s+([\s\S]+)$/i;
const INTO = /\s+(?:into|inside|in|to|as)\s+/gi;
const PRODUCE =
  /^(?:me\s+)?(?:a|an|some|the|another)\s+(?:\w+\s+){0,2}(?:poem|story|list|summary|report|letter|essay|e-?mail|haiku|joke|song|script|program|function|code|article|text|speech|review|test|tests)\b/i;
const SAID_BEFORE = /^(?:it|this|that|them|these|those|everything|something)$/i;

export const understandWrite: Understand = ({ bare }) => {
  const rest = WRITE.exec(bare)?.[1];
  if (rest === undefined) return undefined;
  const file = findPlaceAlone(rest);
  if (file) return whatText('write', file);
  for (const [text, place] of cutAtLast(rest, INTO)) {
    const name = parseSpokenName(place);
    if (name === undefined || name.isFolder) continue;
    if (name.certainty === 'word' && findQuoted(text) === undefined) continue;
    return PRODUCE.test(text) && !/^(?:the\s+)?text\s+\S/i.test(text)
      ? say(`I can not make up a text. Put the words in quotes: write "…" to ${name.path}`)
      : giveText(text, (content) => write(name, content));
  }
  if (PRODUCE.test(rest)) return undefined;
  return say(WHICH_FILE);
};

const APPEND = /^(append|add|attach)\s+([\s\S]+)$/i;
const ONTO = /\s+(?:(?:to|at)\s+the\s+end\s+of|onto|into|to|in)\s+/gi;
const LINE_SAYING =
  /^(?:(?:the|a|another)\s+)?(?:new\s+)?(?:line|text|words?|entry|sentence|note|item)(?:\s+(?:saying|with|that\s+says|containing|reading))?:?\s+/i;

export const understandAppend: Understand = ({ bare }) => {
  const [, verb = '', rest = ''] = APPEND.exec(bare) ?? [];
  if (verb === '') return undefined;
  const file = findPlaceAlone(rest);
  if (file) return whatText('append', file);
  let isPlaced = false;
  for (const [text, place] of cutAtLast(rest, ONTO)) {
    isPlaced = true;
    const name = parseSpokenName(place);
    if (name === undefined || name.certainty === 'word' || name.isFolder) continue;
    return giveText(text.replace(LINE_SAYING, ''), (content) =>
      append(name, content.endsWith('\n') ? content : `${content}\n`),
    );
  }
  // To add is said of much else than of lines.
  return isPlaced || /^append$/i.test(verb) ? say(WHICH_FILE) : undefined;
};

const WHICH_FILE =
  'Which file should that go to? Name it with its ending, as in: write hello to notes.txt. Text in quotes is taken exactly.';

/** `to notes.txt`, with nothing to write there. */
function findPlaceAlone(rest: string): SpokenName | undefined {
  const place = /^(?:into|to)\s+([\s\S]+)$/i.exec(rest)?.[1];
  const name = place === undefined ? undefined : parseSpokenName(place);
  return name?.certainty === 'certain' && !name.isFolder ? name : undefined;
}

function whatText(verb: 'write' | 'append', { path }: SpokenName): Wish {
  const place = /\s/.test(path) ? `"${path}"` : path;
  return say(`What should I write? Say the words, as in: ${verb} "buy milk" to ${place}`);
}

function giveText(given: string, use: (content: string) => Wish): Wish {
  const text = given.trim();
  if (text === '' || SAID_BEFORE.test(text)) {
    return say('What should I write? Say the words, as in: write "buy milk" to notes.txt');
  }
  return use(toContent(text));
}

const WORDS_BEFORE = /^(?:the\s+)?(?:text|words?|line|sentence|message)(?::\s*|\s+)(?=\S)/i;

/** In quotes it is exact; a plain sentence becomes a line. */
function toContent(given: string): string {
  const text = given.replace(WORDS_BEFORE, '').trim();
  return findQuoted(text) ?? `${text}\n`;
}

function write(name: SpokenName, content: string): Wish {
  return call('fs.write', { path: name.path, content, ...parents(name) });
}

function append(name: SpokenName, content: string): Wish {
  const text = content === '' || content.endsWith('\n') ? content : `${content}\n`;
  return call('fs.append', { path: name.path, content: text, ...parents(name) });
}

function parents({ path }: SpokenName): { readonly create_parents?: true } {
  return path.includes('/') ? { create_parents: true } : {};
}

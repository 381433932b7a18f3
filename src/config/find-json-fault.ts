/** Where a text stops being JSON, for people. V8 gives no position on Node 20, and its message quotes the file. */
export interface JsonFault {
  /** From 1, as editors count. */
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

type Expectation =
  | 'value'
  | 'value_or_end'
  | 'key'
  | 'key_or_end'
  | 'colon'
  | 'comma_or_end'
  | 'nothing';

const TOKEN =
  /[ \t\r\n]+|"(?:[\u0020\u0021\u0023-\u005b\u005d-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;

/** Call it with a text that `JSON.parse` has refused. */
export function findJsonFault(text: string): JsonFault {
  const open: string[] = [];
  let expected: Expectation = 'value';
  let position = 0;
  let trailingComma = false;
  while (position < text.length) {
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) break;
    if (!/^\s/.test(token)) {
      const next = advance(expected, token, open);
      if (next === undefined) break;
      trailingComma = token === ',';
      expected = next;
    }
    position += token.length;
  }
  return { ...toLineAndColumn(text, position), problem: describe(text[position], trailingComma) };
}

function advance(expected: Expectation, token: string, open: string[]): Expectation | undefined {
  const allowed = ALLOWED[expected];
  if (!allowed.includes(kindOf(token))) return undefined;
  if (token === '{') {
    open.push('}');
    return 'key_or_end';
  }
  if (token === '[') {
    open.push(']');
    return 'value_or_end';
  }
  if (token === '}' || token === ']') {
    if (open.pop() !== token) return undefined;
    return open.length === 0 ? 'nothing' : 'comma_or_end';
  }
  if (token === ',') return open.at(-1) === '}' ? 'key' : 'value';
  if (token === ':') return 'value';
  if (expected === 'key' || expected === 'key_or_end') return 'colon';
  return open.length === 0 ? 'nothing' : 'comma_or_end';
}

type Kind = 'string' | 'literal' | 'open' | 'end' | 'comma' | 'colon';

const ALLOWED: Readonly<Record<Expectation, readonly Kind[]>> = {
  value: ['string', 'literal', 'open'],
  value_or_end: ['string', 'literal', 'open', 'end'],
  key: ['string'],
  key_or_end: ['string', 'end'],
  colon: ['colon'],
  comma_or_end: ['comma', 'end'],
  nothing: [],
};

function kindOf(token: string): Kind {
  if (token.startsWith('"')) return 'string';
  if (token === '{' || token === '[') return 'open';
  if (token === '}' || token === ']') return 'end';
  if (token === ',') return 'comma';
  return token === ':' ? 'colon' : 'literal';
}

function describe(character: string | undefined, trailingComma: boolean): string {
  if (character === undefined) return 'unexpected end of file';
  if (trailingComma && (character === '}' || character === ']')) return 'comma before the end';
  if (character === '/' || character === '#') return 'JSON has no comments';
  if (character === "'") return 'strings need double quotes';
  return `unexpected ${JSON.stringify(character)}`;
}

function toLineAndColumn(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: position - lastBreak };
}

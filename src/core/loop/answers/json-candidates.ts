/** A piece of an answer that may be a tool call. */
export interface Candidate {
  /** Where the piece stands in the text, its fence included. */
  readonly start: number;
  readonly end: number;
  readonly body: string;
  readonly fenced: boolean;
}

interface Fence extends Candidate {
  readonly tag: string;
}

const CALL_TAGS = new Set(['json', 'tool']);

/**
 * Openers that never close before the search gives up. Each costs a scan to the end of the text, so without a bound
 * an answer of brackets would take quadratic time.
 */
const MAX_UNCLOSED = 32;

/** Fenced `json` and `tool` blocks first, then balanced `{…}` and `[…]` outside every fence. */
export function* findCandidates(text: string): Generator<Candidate> {
  const fences = findFences(text);
  for (const fence of fences) if (CALL_TAGS.has(fence.tag)) yield fence;
  let from = 0;
  for (const fence of fences) {
    yield* findBalanced(text, from, fence.start);
    from = fence.end;
  }
  yield* findBalanced(text, from, text.length);
}

/**
 * The candidate's JSON. The only repairs are those that cannot change its meaning: cut to the one top-level value,
 * strip trailing commas.
 */
export function parseCandidate(candidate: Candidate): { value: unknown } | { reason: string } {
  const body = candidate.body.trim();
  if (body === '') return { reason: 'empty block' };
  const whole = parseJson(body) ?? parseJson(stripTrailingCommas(body));
  if (whole !== undefined) return whole;
  const values = [...findBalanced(body, 0, body.length)];
  const only = values.length === 1 ? values[0] : undefined;
  const cut = only && (parseJson(only.body) ?? parseJson(stripTrailingCommas(only.body)));
  return cut ?? { reason: 'invalid JSON, and not repairable' };
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * Fences open and close at the start of a line: a JSON string holds its line breaks escaped, so backticks inside an
 * argument (a Markdown file to write) cannot end the block. A fence that never closes runs to the end.
 */
function findFences(text: string): Fence[] {
  const fences: Fence[] = [];
  const opener = /^[ \t]*```[ \t]*([A-Za-z0-9_+-]*)/gm;
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const bodyStart = match.index + match[0].length;
    const lineEnd = endOfLine(text, bodyStart);
    const inline = /```[ \t]*$/.exec(text.slice(bodyStart, lineEnd));
    const end = inline
      ? { bodyEnd: bodyStart + inline.index, end: lineEnd }
      : findFenceEnd(text, lineEnd);
    fences.push({
      start: match.index,
      end: end.end,
      body: text.slice(bodyStart, end.bodyEnd),
      fenced: true,
      tag: (match[1] ?? '').toLowerCase(),
    });
    opener.lastIndex = end.end;
  }
  return fences;
}

function findFenceEnd(text: string, from: number): { bodyEnd: number; end: number } {
  const closer = /^[ \t]*```[^\n]*/gm;
  closer.lastIndex = from;
  const match = closer.exec(text);
  if (match === null) return { bodyEnd: text.length, end: text.length };
  return { bodyEnd: match.index, end: match.index + match[0].length };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function* findBalanced(text: string, from: number, to: number): Generator<Candidate> {
  let unclosed = 0;
  for (let index = from; index < to && unclosed < MAX_UNCLOSED; index += 1) {
    const char = text[index];
    if (char !== '{' && char !== '[') continue;
    const end = endOfValue(text, index, to);
    if (end === undefined) {
      unclosed += 1;
      continue;
    }
    yield { start: index, end, body: text.slice(index, end), fenced: false };
    index = end - 1;
  }
}

/** The place after the bracket that closes the one at `start`; undefined when none does. */
function endOfValue(text: string, start: number, to: number): number | undefined {
  const closers: string[] = [];
  let inString = false;
  for (let index = start; index < to; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') closers.push('}');
    else if (char === '[') closers.push(']');
    else if (char === '}' || char === ']') {
      if (closers.pop() !== char) return undefined;
      if (closers.length === 0) return index + 1;
    }
  }
  return undefined;
}

/** By hand, in one pass: a pattern that skips strings takes quadratic time on text full of escaped quotes. */
function stripTrailingCommas(text: string): string {
  let kept = '';
  let from = 0;
  let comma: number | undefined;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? '';
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
    } else if (char === ',') comma = index;
    else if (!isJsonSpace(char)) {
      if (comma !== undefined && (char === '}' || char === ']')) {
        kept += text.slice(from, comma);
        from = comma + 1;
      }
      comma = undefined;
      inString = char === '"';
    }
  }
  return kept + text.slice(from);
}

function isJsonSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}

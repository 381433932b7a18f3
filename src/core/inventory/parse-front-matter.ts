export interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  /** What follows it; the whole text when there is none. */
  readonly body: string;
}

const FIELD = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/;
const BLOCK = /^[|>][+-]?$/;
const ESCAPE = /\\(u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|.)/g;
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
};

/**
 * The fields between two lines of `---` at the head of a Markdown file. Only texts are read, which is all that skills
 * say about themselves: quoted, in blocks, or over several lines; lists and maps become their plain text. Undefined
 * when the first line opens it and no line closes it.
 */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return { fields: new Map(), body: lines.join('\n') };
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) return undefined;
  return { fields: readFields(lines.slice(1, end)), body: lines.slice(end + 1).join('\n') };
}

function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, name, value = ''] = FIELD.exec(line.trimEnd()) ?? [];
    if (name === undefined || fields.has(name)) continue;
    fields.set(name, readValue(value.trim(), continuationOf(lines, at)));
  }
  return fields;
}

/** The indented lines below, which belong to the field above them. */
function continuationOf(lines: readonly string[], at: number): string[] {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && !/^\s/.test(line));
  return (end === -1 ? rest : rest.slice(0, end)).map((line) => line.trim());
}

function readValue(first: string, more: readonly string[]): string {
  if (BLOCK.test(first)) return more.join(first.startsWith('|') ? '\n' : ' ').trim();
  const whole = [first, ...more].join(' ').trim();
  const [, double] = /^"((?:[^"\\]|\\.)*)"/.exec(whole) ?? [];
  if (double !== undefined) return double.replace(ESCAPE, (_, sign: string) => toEscaped(sign));
  const [, single] = /^'((?:[^']|'')*)'/.exec(whole) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  return whole.replace(/(?:^|\s)#.*$/, '').trim();
}

/** As in JSON, and what YAML has beside it stands for itself. */
function toEscaped(sign: string): string {
  if (sign.length > 1) return String.fromCharCode(Number.parseInt(sign.slice(1), 16));
  return ESCAPED[sign] ?? sign;
}

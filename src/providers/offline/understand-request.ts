import type { JsonObject } from '../../core/json.ts';
import { isJsonObject } from '../../core/json.ts';
import { findCandidates, parseCandidate } from '../../core/loop/json-candidates.ts';

/** What the offline model makes of a message. */
export type Wish =
  | { readonly kind: 'call'; readonly tool: string; readonly input: JsonObject }
  | { readonly kind: 'malformed'; readonly tool: string }
  | { readonly kind: 'unclear' };

type Rule = {
  readonly pattern: RegExp;
  readonly toWish: (found: Readonly<Record<string, string | undefined>>) => Wish;
};

/** Rules look at a message's head only; longer ones are prose, and patterns on them would take long. */
const MAX_MESSAGE_CHARS = 8_000;

const QUOTED = `(?:"(?<dq>[^"]*)"|'(?<sq>[^']*)'|\`(?<bq>[^\`]*)\`)`;
const PATH = `["'\`]?(?<path>[^\\s"'\`]+)["'\`]?`;
const IN_PATH = `(?:\\s+(?:in|of|under|from|inside)\\s+(?:the\\s+)?(?:(?:directory|folder|dir)\\s+)?${PATH}(?:\\s+(?:directory|folder|dir))?)?`;
const END = '[\\s.!?]*$';

/** The first rule that fits decides. Writing stands before reading: "write … to the file" names a file too. */
const RULES: readonly Rule[] = [
  {
    pattern: rule(
      `\\b(?:write|save|put)\\s+${QUOTED}\\s+(?:in|into|to|as)\\s+(?:the\\s+|a\\s+)?(?:file\\s+)?${PATH}${END}`,
    ),
    toWish: (found) => write(found, quoted(found)),
  },
  {
    pattern: rule(
      `\\b(?:create|make|write)\\s+(?:the\\s+|a\\s+)?file\\s+(?:called\\s+|named\\s+)?${PATH}\\s+(?:with|containing|saying)(?:\\s+(?:the\\s+)?(?:content|contents|text))?:?\\s+${QUOTED}${END}`,
    ),
    toWish: (found) => write(found, quoted(found)),
  },
  {
    pattern: rule(
      `\\bwrite\\s+to\\s+(?:the\\s+)?(?:file\\s+)?(?<path>[^\\s"'\`:]+):\\s*(?<rest>[\\s\\S]+)$`,
    ),
    toWish: (found) => write(found, found['rest'] ?? ''),
  },
  {
    pattern: rule(
      `\\b(?:what(?:'s|\\s+is)?\\s+(?:the\\s+)?(?:current\\s+)?(?:time|date|day)|time\\s+is\\s+it|tell\\s+(?:me\\s+)?the\\s+(?:time|date)|current\\s+(?:time|date))\\b`,
    ),
    toWish: () => call('time.now', {}),
  },
  {
    pattern: rule(`^\\s*(?:please\\s+)?remember(?:\\s+that)?:?\\s+(?<rest>[\\s\\S]+)$`),
    toWish: (found) => call('memory.write', { content: (found['rest'] ?? '').trim() }),
  },
  {
    pattern: rule(
      `^\\s*(?:please\\s+)?(?:recall|what\\s+do\\s+you\\s+(?:remember|know)\\s+about)\\s+(?<rest>[^\\n]+?)${END}`,
    ),
    toWish: (found) => call('memory.search', { query: (found['rest'] ?? '').trim() }),
  },
  {
    pattern: rule(
      `(?:\\b(?:list|show|what)\\b(?:\\s+(?:me|all|the|my|are))*\\s+(?:files|folders|directory|directories|entries|workspace)\\b|^\\s*ls\\b)(?:\\s+(?:are|is)(?:\\s+there)?)?(?:\\s+and\\s+(?:files|folders))?${IN_PATH}${END}`,
    ),
    toWish: (found) => call('fs.list', { path: toPath(found['path'] ?? '.') }),
  },
  {
    pattern: rule(`^\\s*ls\\s+${PATH}${END}`),
    toWish: (found) => call('fs.list', { path: toPath(found['path'] ?? '.') }),
  },
  {
    pattern: rule(
      `\\b(?:search|grep|look|find)\\s+(?:(?:the\\s+)?(?:files|code|workspace)\\s+)?(?:for\\s+)?(?:${QUOTED}|(?<rest>[^\\n]+?))${IN_PATH}${END}`,
    ),
    toWish: (found) => search(found),
  },
  {
    pattern: rule(
      `\\b(?:read|show|open|print|cat|display)\\s+(?:me\\s+)?(?:the\\s+)?(?:contents?\\s+of\\s+)?(?:the\\s+)?(?:file\\s+)?${PATH}${END}`,
    ),
    toWish: (found) => call('fs.read', { path: toPath(found['path'] ?? '') }),
  },
];

export function understandRequest(message: string): Wish {
  const head = message.slice(0, MAX_MESSAGE_CHARS);
  const direct = parseToolCommand(message);
  if (direct) return direct;
  for (const { pattern, toWish } of RULES) {
    const groups = pattern.exec(head)?.groups;
    if (groups) return toWish(groups);
  }
  return { kind: 'unclear' };
}

/** `/tool <name> <json>`, anywhere in the message. */
function parseToolCommand(message: string): Wish | undefined {
  const match = /(?:^|\s)\/tool\s+(\S+)/.exec(message);
  if (!match) return undefined;
  const tool = match[1] ?? '';
  const rest = message.slice(match.index + match[0].length);
  if (!rest.trimStart().startsWith('{')) return call(tool, {});
  const [candidate] = findCandidates(rest);
  const parsed = candidate && parseCandidate(candidate);
  return parsed && 'value' in parsed && isJsonObject(parsed.value)
    ? call(tool, parsed.value)
    : { kind: 'malformed', tool };
}

/** Every group is named by its rule, so a pattern that matches always has groups. */
function rule(source: string): RegExp {
  return new RegExp(`(?<all>${source})`, 'i');
}

function call(tool: string, input: JsonObject): Wish {
  return { kind: 'call', tool, input };
}

function write(found: Readonly<Record<string, string | undefined>>, content: string): Wish {
  return call('fs.write', { path: toPath(found['path'] ?? ''), content });
}

function search(found: Readonly<Record<string, string | undefined>>): Wish {
  const text = quoted(found) || (found['rest'] ?? '').trim();
  // The tool takes a pattern; a person who asks in plain words means the words.
  const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const path = found['path'];
  return call('code.search', path === undefined ? { pattern } : { pattern, path: toPath(path) });
}

function quoted(found: Readonly<Record<string, string | undefined>>): string {
  return found['dq'] ?? found['sq'] ?? found['bq'] ?? '';
}

/** A sentence ends with a mark that is no part of the name. */
function toPath(text: string): string {
  return text.replace(/[?!,;:]+$/, '').replace(/(?<=[^./])\.$/, '') || '.';
}

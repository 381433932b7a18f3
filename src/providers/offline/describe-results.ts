import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Message, ToolRequest } from '../../core/loop/model.ts';
import { tellTime } from './tell-time.ts';

type ToolResult = Extract<Message, { role: 'tool' }>;

const MAX_LINES = 100;
const MAX_CHARS = 4_000;

/** What the results answer. */
interface Asked {
  readonly question: string;
  readonly calls: readonly ToolRequest[];
}

/** Tool results as an answer for people who asked a question. */
export function describeResults(results: readonly ToolResult[], asked: Asked): string {
  return results.map((result) => describeResult(result, asked)).join('\n\n');
}

function describeResult(result: ToolResult, { question, calls }: Asked): string {
  const output = parseOutput(result.text);
  if (result.ok && output && /^fs\.(?:write|append)$/.test(result.tool)) {
    const content = calls.find(({ callId }) => callId === result.callId)?.input['content'];
    if (typeof content === 'string') return describeWritten(result.tool, output, content);
  }
  if (!result.ok) return `${result.tool} failed: ${findError(output) ?? bound(result.text)}`;
  const text =
    output && (describeOutput(result.tool, output) ?? describeRecords(result.tool, output));
  if (result.tool === 'time.now' && text !== undefined) return tellTime(text, question);
  return text ?? `${result.tool}: ${bound(result.text)}`;
}

/** As people count: a line break ends its line. The tools' own count has one more, which is their contract. */
function describeWritten(tool: string, { path }: JsonObject, content: string): string {
  const count = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
  const did = tool === 'fs.write' ? 'wrote' : 'appended';
  return `Done: ${did} ${count} line(s) to ${toText(path)}.`;
}

function describeOutput(tool: string, output: JsonObject): string | undefined {
  const { path, content, entries, matches, summary, rfc3339 } = output;
  switch (tool) {
    case 'time.now':
      return typeof rfc3339 === 'string' ? rfc3339 : undefined;
    case 'fs.list':
      if (!Array.isArray(entries)) return undefined;
      return entries.length === 0
        ? `${path} is empty.`
        : `${path} holds:\n${lines(entries.map((entry) => `- ${toText(entry)}`))}`;
    case 'fs.read':
      return typeof content === 'string' ? `${path}:\n\n${bound(content)}` : undefined;
    case 'code.search':
    case 'fs.glob':
      if (!Array.isArray(matches)) return undefined;
      return matches.length === 0
        ? 'Nothing matches.'
        : `Found ${matches.length}:\n${lines(matches.map(describeMatch))}`;
    default:
      return typeof summary === 'string' && summary !== '' ? `Done: ${summary}.` : undefined;
  }
}

/** What the runtime keeps: runs, jobs, conversations, agents, memories, names of secrets. */
function describeRecords(tool: string, output: JsonObject): string | undefined {
  switch (tool) {
    case 'run.list':
      return list(
        output['runs'],
        ['The newest runs:', 'There are no such runs.'],
        (run) => `${run('run_id')} ${run('status')} ${run('created_at')}: ${run('message')}`,
      );
    case 'scheduler.list':
      return list(output['jobs'], ['Your jobs:', 'Nothing is scheduled.'], (job) => {
        const next = job('next_run_at');
        return `${job('job_id')} (${job('schedule')}, ${next === 'null' ? 'paused' : `next ${next}`}): ${job('message')}`;
      });
    case 'scheduler.add':
      return isJsonObject(output['job']) ? describeJob(output['job']) : undefined;
    case 'session.list':
      return list(
        output['sessions'],
        ['Your conversations:', 'There are none.'],
        (one) => `${one('session_id')}: ${one('title')} (${one('messages')} messages)`,
      );
    case 'agent.list':
      return list(
        output['agents'],
        ['Agents:', 'There are none.'],
        (one) => `${one('agent_id')}: ${one('role')}`,
      );
    case 'memory.search':
      return list(
        dropUnrelated(output['memories']),
        ['I remember, best match first:', 'I remember nothing about that.'],
        (one) =>
          `${one('content')} (${one('timestamp')}, from ${one('source')}${one('trusted') === 'true' ? '' : ', not trusted'})`,
      );
    case 'secrets.list':
      return Array.isArray(output['keys'])
        ? listLines(output['keys'].map(toText), [
            'Stored secrets, by name:',
            'No secrets are stored.',
          ])
        : undefined;
    default:
      return undefined;
  }
}

function describeJob(job: JsonObject): string {
  const { job_id: id, next_run_at: next, message } = job;
  return [
    `Done: ${toText(id)} is due at ${toText(next)}: ${toText(message)}`,
    'It fires while a server runs; "list my runs" shows what came of it.',
  ].join('\n');
}

type Words = readonly [some: string, none: string];

function list(
  all: unknown,
  words: Words,
  describe: (member: (name: string) => string) => string,
): string | undefined {
  if (!Array.isArray(all)) return undefined;
  const objects = all.filter(isJsonObject);
  return listLines(
    objects.map((one) => describe((name) => toText(one[name]).replace(/\s+/g, ' '))),
    words,
  );
}

function listLines(all: readonly string[], [some, none]: Words): string {
  return all.length === 0 ? none : `${some}\n${lines(all.map((line) => `- ${line}`))}`;
}

function describeMatch(match: unknown): string {
  if (!isJsonObject(match)) return `- ${toText(match)}`;
  return `- ${toText(match['path'])}:${toText(match['line'])}: ${toText(match['text']).trim()}`;
}

function findError(output: JsonObject | undefined): string | undefined {
  const error = output?.['error'];
  const message = isJsonObject(error) ? error['message'] : (error ?? output?.['message']);
  return typeof message === 'string' && message !== '' ? bound(message) : undefined;
}

/** Undefined for anything but a JSON object: errors and shortened outputs are plain text. */
function parseOutput(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function lines(all: readonly string[]): string {
  const shown = all.slice(0, MAX_LINES);
  if (shown.length < all.length) shown.push(`… and ${all.length - shown.length} more`);
  return bound(shown.join('\n'));
}

function bound(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}…`;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A search brings the nearest there are; below this, as in what runs begin with, they have nothing to do with it. */
const MIN_SCORE = 0.2;

function dropUnrelated(memories: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(memories)) return memories;
  return memories.filter((one) => !isJsonObject(one) || Number(one['score'] ?? 1) >= MIN_SCORE);
}

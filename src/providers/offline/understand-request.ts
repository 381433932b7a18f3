import { isJsonObject } from '../../core/json.ts';
import { findCandidates, parseCandidate } from '../../core/loop/answers/json-candidates.ts';
import { understandDelete, understandMove, understandRead } from './file-wishes.ts';
import { understandFindFiles, understandList, understandSearch } from './find-wishes.ts';
import {
  understandMemory,
  understandRecords,
  understandSelf,
  understandTime,
} from './runtime-wishes.ts';
import { understandJobs, understandSchedule } from './schedule-wishes.ts';
import { stripPoliteness } from './strip-politeness.ts';
import { call, type Understand, type Wish } from './wish.ts';
import {
  understandAppend,
  understandCreate,
  understandTextBehindColon,
  understandWrite,
} from './write-wishes.ts';

/** Longer messages are prose: patterns on them would take long, and half of a text must not be written. */
const MAX_SENTENCE_CHARS = 4_000;

/** The first that understands decides; what speaks of runs and tools comes before what takes any name for a file. */
const RULES: readonly Understand[] = [
  understandSelf,
  understandTime,
  understandRecords,
  understandSchedule,
  understandJobs,
  understandMemory,
  understandTextBehindColon,
  understandCreate,
  understandAppend,
  understandWrite,
  understandDelete,
  understandMove,
  understandFindFiles,
  understandList,
  understandRead,
  understandSearch,
];

export function understandRequest(message: string): Wish {
  const direct = parseToolCommand(message);
  if (direct) return direct;
  const isLong = message.length > MAX_SENTENCE_CHARS;
  const request = isLong ? { body: message.trimStart(), bare: '' } : stripPoliteness(message);
  for (const understand of isLong ? [understandTextBehindColon] : RULES) {
    const wish = understand(request);
    if (wish) return wish;
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

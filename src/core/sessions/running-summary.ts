import type { ToolTrait } from '../tools/tool.ts';
import { countChars, cutLine } from './cut-text.ts';
import type { SessionMessage } from './session.ts';
import { isTrait, parseToolRecord } from './tool-record.ts';

/**
 * What is left of messages that no longer fit: who asked what, what tools did, what failed, how it was answered. It
 * is a fold over them, one by one, so it comes out the same however often and in however many steps it is made.
 */
export interface RunningSummary {
  /** How many messages it speaks of. */
  readonly count: number;
  readonly lines: readonly SummaryLine[];
  /** Traits of the calls among them; see `ToolRecord`. */
  readonly exposure: readonly ToolTrait[];
}

interface SummaryLine {
  /** The message's number among all that were folded, from 1. */
  readonly number: number;
  readonly text: string;
}

export const EMPTY_SUMMARY: RunningSummary = { count: 0, lines: [], exposure: [] };

/** A message, reduced to what a summary could say of it. */
export interface Digest {
  readonly text: string;
  readonly exposure: readonly ToolTrait[];
}

const MAX_LINE_CHARS = 120;

/** Stands for messages that were too many to be looked at. */
export const GAP: Digest = { text: 'note: older messages were not looked at', exposure: [] };

export function digestMessage(message: SessionMessage): Digest {
  if (message.role === 'tool') return digestTool(message);
  const who = message.status === undefined ? message.role : `${message.status} run`;
  return { text: toLine(who, message.content), exposure: [] };
}

function digestTool(message: SessionMessage): Digest {
  const { tool, summary, output, error, effect, traits = [] } = parseToolRecord(message);
  if (error !== '') return { text: toLine(`failed ${tool}`, error), exposure: traits };
  const verb = effect === 'write' ? 'changed by' : 'tool';
  return { text: toLine(`${verb} ${tool}`, summary || output), exposure: traits };
}

function toLine(who: string, what: string): string {
  return cutLine(`${who}: ${cutLine(what, MAX_LINE_CHARS)}`, MAX_LINE_CHARS);
}

export function foldSummary(
  summary: RunningSummary,
  digests: readonly Digest[],
  maxChars: number,
): RunningSummary {
  let folded = shorten(summary, maxChars);
  for (const { text, exposure } of digests) {
    const number = folded.count + 1;
    folded = shorten(
      {
        count: number,
        lines: [...folded.lines, { number, text }],
        exposure: [...new Set([...folded.exposure, ...exposure])],
      },
      maxChars,
    );
  }
  return folded;
}

/** By how many messages a line outlives a plain one of its age. Wishes and lasting changes matter longest. */
const STAYING_POWER: Readonly<Record<string, number>> = {
  user: 12,
  changed: 8,
  failed: 8,
  note: 8,
  assistant: 6,
};

function shorten(summary: RunningSummary, maxChars: number): RunningSummary {
  const lines = [...summary.lines];
  const head = renderHead(summary);
  let chars = lines.reduce((sum, line) => sum + lineChars(line), countChars(head));
  while (chars > maxChars && lines.length > 1) {
    const [gone] = lines.splice(findWeakest(lines), 1);
    chars -= gone === undefined ? 0 : lineChars(gone);
  }
  return { ...summary, lines };
}

function findWeakest(lines: readonly SummaryLine[]): number {
  let weakest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { number, text }] of lines.entries()) {
    const [kind = ''] = text.split(/[ :]/, 1);
    // The wish a conversation began with is what the rest is about.
    if (index === 0 && kind === 'user') continue;
    const strength = number + (Object.hasOwn(STAYING_POWER, kind) ? (STAYING_POWER[kind] ?? 0) : 0);
    if (strength >= least) continue;
    weakest = index;
    least = strength;
  }
  return weakest;
}

const HEAD = /^Earlier in this conversation \((\d{1,12}) messages?, shortened\):$/;
const EXPOSURE = /^exposure: (.+)$/;
const LINE = /^#(\d{1,12}) (.+)$/;

/** The text a model reads, which is also what is kept. */
export function renderSummary(summary: RunningSummary): string {
  return [renderHead(summary), ...summary.lines.map(renderLine)].join('\n');
}

/** Reads a text of `renderSummary` back; lines it does not know are left out. */
export function parseSummary(text: string): RunningSummary {
  const [head = '', ...rest] = text.split('\n');
  const count = Number(HEAD.exec(head)?.[1] ?? 0);
  const exposure =
    EXPOSURE.exec(rest[0] ?? '')?.[1]
      ?.split(', ')
      .filter(isTrait) ?? [];
  const lines = rest.flatMap((line) => {
    const [, number, said] = LINE.exec(line) ?? [];
    return number === undefined || said === undefined
      ? []
      : [{ number: Number(number), text: said }];
  });
  return { count, lines, exposure };
}

function renderHead({ count, exposure }: RunningSummary): string {
  const head = `Earlier in this conversation (${count} message${count === 1 ? '' : 's'}, shortened):`;
  return exposure.length === 0 ? head : `${head}\nexposure: ${exposure.join(', ')}`;
}

function renderLine({ number, text }: SummaryLine): string {
  return `#${number} ${text}`;
}

function lineChars(line: SummaryLine): number {
  return 1 + countChars(renderLine(line));
}

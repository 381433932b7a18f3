import type { Message } from '../loop/model.ts';
import { type ContextLimits, maxReplayChars } from './context-limits.ts';
import { countChars, cutText } from './cut-text.ts';
import type { SessionMessage, ToolRecord } from './session.ts';
import { parseArguments, parseToolRecord } from './tool-record.ts';

/** What a model is told of one stored message. It is replayed whole or not at all. */
export interface Replay {
  /** A tool's message comes with the call it answers: providers refuse a result without one. */
  readonly messages: readonly Message[];
  /** Its texts, and the arguments of its call: they cost as much as any text. */
  readonly chars: number;
}

/** Undefined for a message that says nothing. */
export function replayMessage(message: SessionMessage, limits: ContextLimits): Replay | undefined {
  if (message.role === 'tool') return replayTool(parseToolRecord(message), limits);
  const text = cutText(message.content, maxReplayChars(limits));
  if (text === '') return undefined;
  // Whoever else spoke is heard as the user: nothing stored has the authority of the system's own instructions.
  const replayed: Message =
    message.role === 'assistant'
      ? { role: 'assistant', text, toolCalls: [] }
      : { role: 'user', text };
  return { messages: [replayed], chars: countChars(text) };
}

function replayTool(record: ToolRecord, limits: ContextLimits): Replay {
  const { tool, id: callId } = record;
  const text = cutText(normalise(record, limits), maxReplayChars(limits));
  const chars = countChars(text);
  const argumentChars = countChars(record.arguments);
  // Arguments are the first to go where room is short: the result says more.
  const isKept = argumentChars > 0 && chars + argumentChars <= maxReplayChars(limits);
  const input = isKept ? parseArguments(record) : {};
  return {
    messages: [
      { role: 'assistant', text: '', toolCalls: [{ callId, tool, input }] },
      { role: 'tool', callId, tool, ok: record.error === '', text },
    ],
    chars: chars + (isKept ? argumentChars : 0),
  };
}

/** Contract 1 §6: a tool's payload is never passed back verbatim at full size. */
function normalise(record: ToolRecord, limits: ContextLimits): string {
  const parts = [
    ['summary', cutText(record.summary, limits.maxSummaryChars)],
    ['error', cutText(record.error, limits.maxErrorChars)],
    ['output', cutText(record.output, limits.maxOutputChars)],
  ] as const;
  return [
    `tool ${record.tool} result (${record.id})`,
    ...parts.filter(([, part]) => part !== '').map(([name, part]) => `${name}: ${part}`),
  ].join('\n');
}

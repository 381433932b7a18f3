import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type {
  TranscriptBlock,
  TranscriptCompaction,
  TranscriptMessage,
  TranscriptUsage,
} from './transcript-store.ts';
import { isTimeMs } from './transcript-time.ts';

type Member = JsonValue | undefined;

/** What a record must hold and does not; whoever reads the file adds the line. */
export function badRecord(reason: string): RuntimeError {
  return new RuntimeError('invalid_input', reason);
}

export function asObject(value: Member, what: string): JsonObject {
  if (value === undefined || !isJsonObject(value)) throw badRecord(`${what} is not an object`);
  return value;
}

export function asText(value: Member, what: string): string {
  if (typeof value !== 'string') throw badRecord(`${what} is not a text`);
  return value;
}

function asCount(value: Member, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw badRecord(`${what} is not a whole number`);
  }
  return value;
}

export function asTime(value: Member, what: string): number {
  if (!isTimeMs(value)) throw badRecord(`${what} is not a time in milliseconds`);
  return value;
}

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;

export function decodeMessage(value: Member): TranscriptMessage {
  const message = asObject(value, 'message');
  const role = ROLES.find((known) => known === message['role']);
  if (role === undefined) throw badRecord('message.role is unknown');
  const blocks = message['blocks'];
  if (!Array.isArray(blocks)) throw badRecord('message.blocks is not a list');
  const usage = message['usage'];
  return {
    role,
    blocks: blocks.map(decodeBlock),
    ...(usage === undefined || usage === null ? {} : { usage: decodeUsage(usage) }),
  };
}

function decodeBlock(value: JsonValue): TranscriptBlock {
  const block = asObject(value, 'block');
  const text = (name: string) => asText(block[name], `block.${name}`);
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: text('text') };
    case 'tool_use':
      return { type: 'tool_use', id: text('id'), name: text('name'), input: text('input') };
    case 'tool_result': {
      const isError = block['is_error'];
      if (typeof isError !== 'boolean') throw badRecord('block.is_error is not true or false');
      return {
        type: 'tool_result',
        toolUseId: text('tool_use_id'),
        toolName: text('tool_name'),
        output: text('output'),
        isError,
      };
    }
    default:
      throw badRecord('block.type is unknown');
  }
}

export function decodeUsage(value: JsonValue): TranscriptUsage {
  const usage = asObject(value, 'usage');
  const count = (name: string) => asCount(usage[name] ?? 0, `usage.${name}`);
  const created = count('cache_creation_input_tokens');
  const read = count('cache_read_input_tokens');
  return {
    inputTokens: count('input_tokens'),
    outputTokens: count('output_tokens'),
    ...(created === 0 ? {} : { cacheCreationInputTokens: created }),
    ...(read === 0 ? {} : { cacheReadInputTokens: read }),
  };
}

export function decodeCompaction(value: Member): TranscriptCompaction {
  const record = asObject(value, 'compaction');
  return {
    count: asCount(record['count'], 'compaction.count'),
    removedMessageCount: asCount(
      record['removed_message_count'],
      'compaction.removed_message_count',
    ),
    summary: asText(record['summary'], 'compaction.summary'),
  };
}

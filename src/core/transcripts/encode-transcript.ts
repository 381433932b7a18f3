import type { JsonObject } from '../json.ts';
import type { TranscriptDocument, TranscriptMeta } from './transcript-document.ts';
import type {
  TranscriptBlock,
  TranscriptCompaction,
  TranscriptMessage,
  TranscriptPrompt,
  TranscriptUsage,
} from './transcript-store.ts';

/** The whole file: who it is, what was folded away, the prompts, the messages. */
export function encodeTranscript(id: string, document: TranscriptDocument): string {
  const { compaction, promptHistory, messages } = document.lines;
  const lines = [
    encodeMeta(id, document.meta),
    ...(compaction === undefined ? [] : [compaction]),
    ...promptHistory,
    ...messages,
  ];
  return `${lines.join('\n')}\n`;
}

function encodeMeta(id: string, meta: TranscriptMeta): string {
  const { createdAtMs, updatedAtMs, parentId, workspaceRoot, model } = meta;
  const { fork } = meta.record;
  return JSON.stringify({
    ...meta.record,
    type: 'session_meta',
    version: 1,
    session_id: id,
    created_at_ms: createdAtMs,
    updated_at_ms: updatedAtMs,
    ...(parentId === undefined ? {} : { fork: toFork(fork, parentId) }),
    workspace_root: workspaceRoot,
    model,
  });
}

/** Where it branched off may have a name that others gave. */
function toFork(found: unknown, parentId: string): JsonObject {
  return { ...(found as JsonObject | undefined), parent_session_id: parentId };
}

/** With the time, since the first line's is as old as the last rewrite. */
export function encodeMessage(message: TranscriptMessage, atMs: number | undefined): string {
  const { role, blocks, usage } = message;
  return JSON.stringify({
    type: 'message',
    message: {
      role,
      blocks: blocks.map(encodeBlock),
      ...(usage === undefined ? {} : { usage: encodeUsage(usage) }),
    },
    timestamp_ms: atMs,
  });
}

function encodeBlock(block: TranscriptBlock): JsonObject {
  if (block.type === 'text') return { type: block.type, text: block.text };
  if (block.type === 'tool_use') {
    return { type: block.type, id: block.id, name: block.name, input: block.input };
  }
  return {
    type: block.type,
    tool_use_id: block.toolUseId,
    tool_name: block.toolName,
    output: block.output,
    is_error: block.isError,
  };
}

function encodeUsage(usage: TranscriptUsage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_creation_input_tokens: usage.cacheCreationInputTokens ?? 0,
    cache_read_input_tokens: usage.cacheReadInputTokens ?? 0,
  };
}

export function encodeCompaction(compaction: TranscriptCompaction): string {
  const { count, removedMessageCount, summary } = compaction;
  return JSON.stringify({
    type: 'compaction',
    count,
    removed_message_count: removedMessageCount,
    summary,
  });
}

export function encodePrompt({ atMs, text }: TranscriptPrompt): string {
  return JSON.stringify({ type: 'prompt_history', timestamp_ms: atMs, text });
}

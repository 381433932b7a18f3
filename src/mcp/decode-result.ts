import type { CallToolResult } from '@modelcontextprotocol/client';
import { RuntimeError } from '../core/errors.ts';
import { isJsonObject, type JsonObject, toJsonValue } from '../core/json.ts';

const MAX_ERROR_CHARS = 2_000;
const MAX_ATTACHMENTS = 50;

/**
 * A result as the output of a tool: `content` is all its text, `structured` its structured content. Pictures and
 * sound are named with their size but not carried: no event log and no text model has a use for them.
 */
export function decodeResult(result: CallToolResult): JsonObject {
  const texts: string[] = [];
  const attachments: JsonObject[] = [];
  for (const block of result.content) {
    const text = textOf(block);
    if (text !== undefined) texts.push(text);
    else if (attachments.length < MAX_ATTACHMENTS) attachments.push(describe(block));
  }
  const content = texts.join('\n');
  if (result.isError === true) {
    const message = content.trim() === '' ? 'the tool reported an error' : content.trim();
    throw new RuntimeError('tool_failed', message.slice(0, MAX_ERROR_CHARS));
  }
  const structured = toJsonValue(result.structuredContent ?? null);
  return {
    content,
    ...(isJsonObject(structured) ? { structured } : {}),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

type Block = CallToolResult['content'][number];

function textOf(block: Block): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  return undefined;
}

function describe(block: Block): JsonObject {
  switch (block.type) {
    case 'image':
    case 'audio':
      return { type: block.type, mime_type: block.mimeType, bytes: bytesOf(block.data) };
    case 'resource_link':
      return { type: block.type, uri: block.uri, name: block.name };
    case 'resource':
      return {
        type: block.type,
        uri: block.resource.uri,
        bytes: 'blob' in block.resource ? bytesOf(block.resource.blob) : 0,
      };
    default:
      return { type: block.type };
  }
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

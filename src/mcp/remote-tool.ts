import type { Tool } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, toJsonValue } from '../core/json.ts';
import type { ToolDeclaration } from '../core/tools/tool-pin.ts';

/** A tool as its server declares it, within our bounds. */
export interface RemoteTool {
  readonly name: string;
  readonly declaration: ToolDeclaration;
}

export interface RemoteTools {
  readonly tools: readonly RemoteTool[];
  /** Those we do not take, and why. */
  readonly rejected: readonly { readonly name: string; readonly reason: string }[];
}

const MAX_TOOLS = 2_000;
const MAX_NAME_CHARS = 256;
const MAX_DESCRIPTION_CHARS = 16 * 1024;
const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_SCHEMA_DEPTH = 32;
const MAX_REPORTED = 50;
const MAX_SHOWN_CHARS = 80;

/** Distrusts a listing tool by tool: one that breaks a bound is left out and reported. */
export function readRemoteTools(listed: readonly Tool[]): RemoteTools {
  const tools = new Map<string, RemoteTool>();
  const rejected: { name: string; reason: string }[] = [];
  for (const tool of listed) {
    const reason =
      tools.size >= MAX_TOOLS
        ? `the server has more than ${MAX_TOOLS} tools`
        : tools.has(tool.name)
          ? 'the server has another tool of this name'
          : findProblem(tool);
    if (reason === undefined) tools.set(tool.name, toRemoteTool(tool));
    else if (rejected.length < MAX_REPORTED) {
      rejected.push({ name: tool.name.slice(0, MAX_SHOWN_CHARS), reason });
    }
  }
  return { tools: [...tools.values()], rejected };
}

function findProblem(tool: Tool): string | undefined {
  if (tool.name === '' || tool.name.length > MAX_NAME_CHARS) {
    return `the name is empty or longer than ${MAX_NAME_CHARS} characters`;
  }
  if ((tool.description?.length ?? 0) > MAX_DESCRIPTION_CHARS) {
    return `the description is longer than ${MAX_DESCRIPTION_CHARS} characters`;
  }
  if (depthOf(tool.inputSchema, MAX_SCHEMA_DEPTH + 1) > MAX_SCHEMA_DEPTH) {
    return `the input schema is nested deeper than ${MAX_SCHEMA_DEPTH} levels`;
  }
  if (Buffer.byteLength(JSON.stringify(tool.inputSchema)) > MAX_SCHEMA_BYTES) {
    return `the input schema is larger than ${MAX_SCHEMA_BYTES} bytes`;
  }
  return undefined;
}

function toRemoteTool(tool: Tool): RemoteTool {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {};
  return {
    name: tool.name,
    declaration: {
      description: tool.description ?? '',
      inputSchema: toJsonValue(tool.inputSchema) as JsonObject,
      annotations: toJsonValue({
        readOnlyHint,
        destructiveHint,
        idempotentHint,
        openWorldHint,
      }) as JsonObject,
    },
  };
}

/** At most `limit`, so that looking at a hostile value ends. */
function depthOf(value: unknown, limit: number): number {
  if (limit === 0 || typeof value !== 'object' || value === null) return 0;
  const members = isJsonObject(value) ? Object.values(value) : (value as readonly unknown[]);
  let deepest = 0;
  for (const member of members) deepest = Math.max(deepest, depthOf(member, limit - 1));
  return deepest + 1;
}

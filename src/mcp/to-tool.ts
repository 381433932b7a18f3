import type { JsonObject } from '../core/json.ts';
import { defineTool, type Tool, type ToolTrait } from '../core/tools/tool.ts';
import { withCallTrace } from './call-trace.ts';
import { createInputCheck } from './input-check.ts';
import { plainDescription } from './plain-description.ts';
import type { RemoteTool } from './remote-tool.ts';
import type { McpServerConfig } from './server-config.ts';

export interface ToolCallRequest {
  readonly remote: RemoteTool;
  readonly input: JsonObject;
  readonly idempotent: boolean;
  readonly signal: AbortSignal;
}

export interface ToToolParts {
  readonly name: string;
  readonly source: string;
  readonly config: McpServerConfig;
  readonly call: (request: ToolCallRequest) => Promise<JsonObject>;
}

/** The protocol's own default: a tool that does not say otherwise deals with strangers, in and out. */
const OPEN_WORLD: readonly ToolTrait[] = ['untrusted_input', 'outward_effect'];
const MAX_SUMMARY_CHARS = 120;

/** A remote tool as one of ours: the same pipeline, the same policy, and no more trust than the operator gave. */
export function toTool(remote: RemoteTool, parts: ToToolParts): Tool {
  const { config } = parts;
  const { description, inputSchema, annotations } = remote.declaration;
  const isRead = config.trust_annotations && annotations['readOnlyHint'] === true;
  const idempotent = isRead || (config.trust_annotations && annotations['idempotentHint'] === true);
  return defineTool<JsonObject, JsonObject>({
    name: parts.name,
    description: plainDescription(description),
    effect: isRead ? 'read' : 'write',
    idempotent,
    traits: config.trust_annotations && annotations['openWorldHint'] === false ? [] : OPEN_WORLD,
    source: parts.source,
    limits: { timeoutMs: config.call_timeout_ms, maxOutputBytes: config.max_output_bytes },
    input: createInputCheck(inputSchema),
    inputSchema,
    summarize: (_input, output) => summarize(output),
    execute: (input, ctx) =>
      withCallTrace(ctx, () => parts.call({ remote, input, idempotent, signal: ctx.signal })),
  });
}

function summarize(output: JsonObject): string {
  const content = output['content'];
  const [line = ''] = typeof content === 'string' ? content.trim().split('\n', 1) : [];
  return line.length <= MAX_SUMMARY_CHARS ? line : `${line.slice(0, MAX_SUMMARY_CHARS)}…`;
}

import type * as z from 'zod';
import { defined } from '../defined.ts';
import type { AgentId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Aim, AimContext } from '../policy/aim.ts';
import type { Decision } from '../policy/decision.ts';
import type { PermissionMode } from '../policy/permission-mode.ts';

/** `read` tools change nothing, so they may be run again; `write` tools have an effect that must not repeat. */
export type ToolEffect = 'read' | 'write';

/**
 * What a call brings into a run or lets out of it: `untrusted_input` returns what strangers wrote, `secret_data` what
 * must not leave, `outward_effect` reaches somebody outside.
 */
export type ToolTrait = 'untrusted_input' | 'secret_data' | 'outward_effect';

export interface ToolLimits {
  readonly timeoutMs: number;
  /** Output above this goes to an artifact; the model and the log get an excerpt. */
  readonly maxOutputBytes: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = { timeoutMs: 30_000, maxOutputBytes: 64 * 1024 };

/** What a call, and repeating it, would do to the world; with `traits`, instead of the tool's own. */
export type ToolNature = Pick<Tool, 'effect' | 'idempotent' | 'sendsKey'> &
  Partial<Pick<Tool, 'traits'>>;

export interface ToolContext {
  readonly runId: RunId;
  readonly agentId: AgentId;
  /**
   * Whom the call is made for: `operator`, or a principal such as `user:42`. What `maySee` hides from it does not exist
   * for the tool.
   */
  readonly principal: string;
  readonly callId: string;
  /** Of the span this call is made in, for services that continue traces. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** What the caller that this goes back to has named its request. */
  readonly callerRequestId?: string;
  /** To send along to a service that honours such keys. */
  readonly idempotencyKey?: string;
  /** Whether whoever wants the call gave that key: then it is the principal's, and may come again with another run. */
  readonly isCallersKey?: boolean;
  /** What the run has been in touch with before this call. */
  readonly exposure?: readonly ToolTrait[];
  /** Aborts on timeout, cancel and a lost lease. A handler that ignores it is still abandoned on time. */
  readonly signal: AbortSignal;
}

/**
 * Whom a tool works for. One that serves `everyone` shows and changes only what its call's principal may see, or nothing
 * that is anybody's. Calls for a user or a guest of any other are denied, unless the operator opens it to them.
 */
type ToolAudience = 'operator' | 'everyone';

export interface Tool {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly effect: ToolEffect;
  /** For a tool whose calls differ: tells by the repaired arguments, before they are checked. */
  readonly natureOf?: (input: JsonObject) => ToolNature;
  /** Whether running the same call again leaves the world as one run would. Read tools always are. */
  readonly idempotent: boolean;
  /** Whether equal calls of one run within the hour are one call. Never for tools that append. */
  readonly dedupe?: boolean;
  /** Whether the handler sends its `idempotencyKey` to a service that honours it, so that it may be retried. */
  readonly sendsKey?: boolean;
  /**
   * The caller's own idempotency key, where the repaired arguments carry one. A tool that has this sends a caller's key on
   * wherever it came from: whoever gives one says that the service honours it.
   */
  readonly keyOf?: (input: JsonObject) => string | undefined;
  /** The circuit it shares with the other tools of its service; one of its own name when left out. */
  readonly circuit?: string;
  readonly traits: readonly ToolTrait[];
  readonly serves: ToolAudience;
  /** The least permission mode it works in; by its effect when left out. */
  readonly requires?: PermissionMode;
  /** The tool's own opinion about a call: it knows its arguments better than any rule. */
  readonly judge?: (input: JsonObject) => Decision;
  /** What a call reaches, for rules about paths, URLs and commands; without it they compare what is written. */
  readonly aims?: (input: JsonObject, ctx: AimContext) => Promise<readonly Aim[]>;
  readonly limits: ToolLimits;
  /** The file that defines it, for inventories. */
  readonly source: string;
  readonly input: z.ZodType<JsonObject>;
  /** What models are told instead of a schema made from `input`: for tools whose schema was written elsewhere. */
  readonly inputSchema?: JsonObject;
  /** Mends well-known slips of models (aliased field names, quoted paths) before validation. */
  readonly repair: (input: JsonObject) => JsonObject;
  /** One line for people. */
  readonly summarize: (input: JsonObject, output: JsonObject) => string;
  readonly execute: (input: JsonObject, ctx: ToolContext) => Promise<JsonObject>;
}

export interface ToolDefinition<Input extends object, Output extends object> {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly natureOf?: (input: JsonObject) => ToolNature;
  readonly input: z.ZodType<Input>;
  readonly inputSchema?: JsonObject;
  readonly idempotent?: boolean;
  readonly dedupe?: boolean;
  readonly sendsKey?: boolean;
  readonly keyOf?: (input: JsonObject) => string | undefined;
  readonly circuit?: string;
  readonly traits?: readonly ToolTrait[];
  /** `operator` when left out. */
  readonly serves?: ToolAudience;
  readonly requires?: PermissionMode;
  readonly judge?: (input: Input) => Decision;
  readonly aims?: (input: Input, ctx: AimContext) => Promise<readonly Aim[]>;
  readonly aliases?: readonly string[];
  readonly limits?: Partial<ToolLimits>;
  readonly source?: string;
  readonly repair?: (input: JsonObject) => JsonObject;
  readonly summarize?: (input: Input, output: Output) => string;
  readonly execute: (input: Input, ctx: ToolContext) => Promise<Output>;
}

/** Declares a tool. The cast is safe because `execute` only ever sees what `input` has parsed. */
export function defineTool<Input extends object, Output extends object>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const summarize = definition.summarize ?? (() => '');
  return {
    name: definition.name,
    aliases: definition.aliases ?? [],
    description: definition.description,
    effect: definition.effect,
    ...defined({ natureOf: definition.natureOf }),
    idempotent: definition.effect === 'read' || (definition.idempotent ?? false),
    dedupe: definition.dedupe ?? false,
    sendsKey: definition.sendsKey ?? false,
    ...defined({ keyOf: definition.keyOf, circuit: definition.circuit }),
    traits: definition.traits ?? [],
    serves: definition.serves ?? 'operator',
    ...defined({ requires: definition.requires }),
    ...(definition.judge === undefined
      ? {}
      : { judge: definition.judge as unknown as NonNullable<Tool['judge']> }),
    ...(definition.aims === undefined
      ? {}
      : { aims: definition.aims as unknown as NonNullable<Tool['aims']> }),
    limits: { ...DEFAULT_TOOL_LIMITS, ...definition.limits },
    source: definition.source ?? '',
    input: definition.input as unknown as z.ZodType<JsonObject>,
    ...defined({ inputSchema: definition.inputSchema }),
    repair: definition.repair ?? ((input) => input),
    summarize: summarize as unknown as Tool['summarize'],
    execute: definition.execute as unknown as Tool['execute'],
  };
}

/** The tool as this call uses it: one that only reads, or whose key is honoured, may be tried again. */
export function asCalled(tool: Tool, input: JsonObject): Tool {
  if (tool.natureOf === undefined) return tool;
  // What will be carried out, and not what was written: an alias must not make a read of a write.
  return { ...tool, ...tool.natureOf(tool.repair(input)) };
}

export function circuitOf(tool: Tool): string {
  return tool.circuit ?? tool.name;
}

import { defined } from '../../../core/defined.ts';
import { BUILT_IN_TOOLS } from '../../../core/inventory/built-in-tools.ts';
import { findInventoryEntry } from '../../../core/inventory/find-inventory-entry.ts';
import type { JsonObject, JsonValue } from '../../../core/json.ts';
import { toDirectMessage } from '../../../core/loop/direct-tool.ts';
import {
  isSoundKey,
  MAX_KEY_CHARS,
} from '../../../core/reliability/idempotency/idempotency-key.ts';
import { parseToolName } from '../admin-arguments.ts';
import { toPlainText } from '../print/plain-text.ts';
import { defineCommand } from '../program/command.ts';
import type { CliContext } from '../program/context.ts';
import { parseError, toFailure } from '../program/errors.ts';
import type { Failure } from '../program/failure.ts';
import { openTurns } from '../turns/open-turns.ts';
import { takeTurn } from '../turns/take-turn.ts';
import { toToolAnswer } from '../turns/tool-answer.ts';
import { parseToolPayload } from '../turns/tool-payload.ts';
import type { Turn } from '../turns/turn.ts';
import { parseTurnAgent, toMs } from '../turns/turn-arguments.ts';
import { toTurnFailure } from '../turns/turn-fields.ts';
import { notInInventory } from './inventory/not-in-inventory.ts';

interface Executed {
  readonly name: string;
  readonly payload: string;
  readonly isHandled: boolean;
  readonly message: string;
  readonly sourceHint?: string;
  readonly runId?: string;
  readonly output?: JsonValue;
  readonly fromCache?: boolean;
  readonly failure?: Failure | undefined;
}

const MAX_TIMEOUT_SECONDS = 86_400;
/** Tools of external servers are known to a runtime only. */
const EXTERNAL = /^mcp__[A-Za-z0-9_-]+$/;

export const execTool = defineCommand({
  usage: 'NAME [PAYLOAD] [--agent ID] [--idempotency-key KEY] [--timeout-seconds S]',
  description:
    'Calls one tool as a run of its own, without a model: policy, audit and limits are those of any call. PAYLOAD is a\n' +
    'JSON object, or a plain text for the field that the tool is about (command, path, url, …). Through the running\n' +
    'server, else in this process. A call that needs an approval is not made. Exit code 1: it failed or was refused.',
  args: { min: 1, max: 2 },
  options: {
    agent: { kind: 'text', value: 'ID', summary: 'whose grants apply (default agent_default)' },
    'idempotency-key': {
      kind: 'text',
      value: 'KEY',
      summary: 'the same key with the same payload is one execution, with another a conflict',
    },
    'timeout-seconds': {
      kind: 'number',
      value: 'S',
      min: 0.001,
      max: MAX_TIMEOUT_SECONDS,
      isWhole: false,
      summary: 'cancel the call after this long; exit code 2 then',
    },
  },
  examples: [
    'claw exec-tool fs.read notes.txt',
    `claw exec-tool FileWriteTool '{"path": "a.txt", "content": "hello"}' --output-format json`,
  ],
  choices: BUILT_IN_TOOLS.map(({ name }) => name),
  handlesInterrupt: true,
  async run({ args, options }, context): Promise<Executed> {
    const name = parseToolName(args[0]?.trim(), 'exec-tool');
    const payload = args[1] ?? '';
    const agentId = parseTurnAgent(options.agent, 'exec-tool');
    const tool = findTool(name);
    if (tool === undefined) return notFound(context, name, payload);
    const message = toDirectMessage({
      tool: tool.name,
      input: parseToolPayload(tool.name, payload),
      idempotencyKey: parseKey(options['idempotency-key']),
    });
    const turns = await openTurns(context);
    try {
      const outcome = await takeTurn(context, {
        turns,
        agentId,
        prompt: message,
        timeoutMs: toMs(options['timeout-seconds']),
        waitsForApproval: false,
      });
      const found = { name: tool.spelling, payload, sourceHint: tool.sourceHint };
      if (outcome.outcome === 'failed') {
        const failure = { exitCode: 1, error: outcome.fault } as const;
        return { ...found, ...failed(failure, outcome.fault.message), runId: outcome.runId };
      }
      const executed = toExecuted(outcome.turn);
      return executed.isUnknown
        ? notFound(context, name, payload)
        : { ...found, ...executed.executed };
    } finally {
      await turns.close();
    }
  },
  fields: ({
    name,
    payload,
    isHandled,
    message,
    sourceHint,
    runId,
    output,
    fromCache,
  }): JsonObject => ({
    name,
    payload,
    handled: isHandled,
    message,
    ...defined({ source_hint: sourceHint, run_id: runId, output }),
    ...(fromCache ? { from_cache: true } : {}),
  }),
  text: ({ isHandled, message, output, fromCache }) =>
    isHandled
      ? [
          toPlainText(message),
          ...(fromCache ? ['(made before with this key; nothing was done again)'] : []),
          ...showOutput(output),
        ].join('\n')
      : '',
  failure: ({ failure }) => failure,
});

function findTool(name: string) {
  const found = findInventoryEntry(BUILT_IN_TOOLS, name);
  if (found) {
    const { entry, spelling } = found;
    return { name: entry.name, spelling, sourceHint: entry.sourceHint };
  }
  return EXTERNAL.test(name) ? { name, spelling: name, sourceHint: 'mcp' } : undefined;
}

function toExecuted(turn: Turn) {
  const { run } = turn;
  const runId = run === undefined ? {} : { runId: run.id };
  const stopped = toTurnFailure({ turns: [turn], fault: undefined });
  const [result] = run?.trace.tool_execution_results ?? [];
  if (stopped !== undefined || result === undefined) {
    const failure = stopped ?? ({ exitCode: 2, message: `stopped: ${turn.stopReason}` } as const);
    const message = failure.exitCode === 1 ? failure.error.message : failure.message;
    return { isUnknown: false, executed: { ...failed(failure, message), ...runId } };
  }
  const { isHandled, message, output, failure } = toToolAnswer(result);
  const isUnknown = failure?.error?.kind === 'tool_not_found';
  const fromCache = result.from_cache ?? false;
  return { isUnknown, executed: { isHandled, message, output, failure, fromCache, ...runId } };
}

function parseKey(key: string | undefined): string | undefined {
  if (key === undefined || isSoundKey(key)) return key;
  throw parseError(`--idempotency-key has 1 to ${MAX_KEY_CHARS} characters`, {
    target: 'exec-tool',
  });
}

function failed(failure: Failure, message: string) {
  return { isHandled: false, message, failure };
}

async function notFound(context: CliContext, name: string, payload: string): Promise<Executed> {
  const error = await notInInventory(context.parts, {
    thing: 'tool',
    name,
    entries: BUILT_IN_TOOLS,
  });
  const failure = toFailure(error, { operation: 'find_tool', target: name });
  return { name, payload, ...failed(failure, error.message) };
}

function showOutput(output: JsonValue | undefined): string[] {
  if (output === undefined || output === null) return [];
  return [toPlainText(typeof output === 'string' ? output : JSON.stringify(output, null, 2))];
}

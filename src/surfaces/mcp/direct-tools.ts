import { RuntimeError } from '../../core/errors.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { watchRun } from '../../core/runs/await-run.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { inputSchemaOf } from '../../core/tools/input-schema.ts';
import type { ToolRegistry } from '../../core/tools/registry.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { SOURCE } from './run-tools.ts';
import { MAX_MESSAGE_CHARS } from './schema.ts';
import type { ServedCall, ServedResult, ServedTool } from './served-tool.ts';

export interface DirectToolsDeps {
  readonly runs: Runs;
  readonly registry: Pick<ToolRegistry, 'list'>;
  /** The agent in whose name tools are used: its grants decide. */
  readonly agentId: AgentId;
  readonly isExposed: (tool: Tool) => boolean;
}

/** Longer than any tool may take; a run that waits for approval goes on without its caller. */
const MAX_WAIT_MS = 10 * 60_000;

/** The runtime's own tools, by names that every client takes: `fs.read` is `fs_read`. */
export function listDirectTools(deps: DirectToolsDeps): ServedTool[] {
  return deps.registry
    .list()
    .filter(deps.isExposed)
    .map((tool) => ({
      name: tool.name.replace(/[^A-Za-z0-9_-]/g, '_'),
      description: tool.description,
      inputSchema: inputSchemaOf(tool),
      readOnly: tool.effect === 'read',
      idempotent: tool.idempotent,
      run: (input, call) => callTool(deps, tool, { input, ...call }),
    }));
}

/** Every call is a run of its own: it passes the same pipeline, stands in the same log and survives the same crashes. */
async function callTool(
  { runs, agentId }: DirectToolsDeps,
  tool: Tool,
  call: ServedCall & { readonly input: JsonObject },
): Promise<ServedResult> {
  const message = `/tool ${tool.name} ${JSON.stringify(call.input)}`;
  if (message.length > MAX_MESSAGE_CHARS) {
    throw new RuntimeError(
      'tool_input_invalid',
      `the input is over ${MAX_MESSAGE_CHARS} characters`,
    );
  }
  const { run } = await runs.submit({ agentId, message, source: SOURCE });
  await awaitEnd(runs, run.id, call);
  return readResult(runs, run.id);
}

async function awaitEnd(runs: Runs, runId: RunId, { signal, onEvents }: ServedCall): Promise<void> {
  const deadline = AbortSignal.timeout(MAX_WAIT_MS);
  try {
    await watchRun(runs, { runId, signal: AbortSignal.any([signal, deadline]), onEvents });
  } catch (error) {
    if (signal.aborted) {
      await runs.cancel({ runId, reason: 'the caller cancelled the call', actor: 'user' });
    } else if (deadline.aborted) {
      throw new RuntimeError('timeout', `the call goes on as ${runId}; follow it with run_wait`);
    }
    throw error;
  }
}

async function readResult(runs: Runs, runId: RunId): Promise<ServedResult> {
  const { toolResults } = await runs.trace(runId);
  const [result] = toolResults;
  if (result?.error === '') return { output: parseOutput(result.output), runId };
  const { error, status } = await runs.get(runId);
  throw new ToolCallError(result?.error ?? error?.message ?? `the call was ${status}`, runId);
}

/** The pipeline's own words, `code: message`, already made for callers. */
export class ToolCallError extends Error {
  readonly runId: RunId;

  constructor(message: string, runId: RunId) {
    super(message);
    this.runId = runId;
  }
}

function parseOutput(text: string): JsonObject {
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

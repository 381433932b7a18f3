import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../core/json.ts';
import type { TracedToolResult } from '../../../core/runs/trace.ts';
import { reportsFailure } from '../../../core/tools/layers.ts';
import { CLI_ERRORS } from '../errors.ts';
import type { Failure } from '../failure.ts';
import { toOneLine } from '../plain-text.ts';

/** What one call of a tool came to. */
export interface ToolAnswer {
  /** Whether the tool did its work; also when what it did reports a failure, as a command with an exit code does. */
  readonly isHandled: boolean;
  readonly message: string;
  readonly output: JsonValue;
  readonly failure: Failure | undefined;
}

const MAX_MESSAGE_CHARS = 300;

export function toToolAnswer(result: TracedToolResult): ToolAnswer {
  const { tool, error } = result;
  const [, code = '', said = error] = /^([a-z_]+): ([\s\S]*)$/.exec(error) ?? [];
  if (error !== '') {
    const message = toOneLine(said, MAX_MESSAGE_CHARS);
    return { isHandled: false, message, output: null, failure: toFault(tool, code, message) };
  }
  const output = parseOutput(result.output);
  const message = describe(output) || toOneLine(result.summary, MAX_MESSAGE_CHARS) || 'ok';
  const failure = reportsFailure(output) ? toFault(tool, 'tool_failed', message) : undefined;
  return { isHandled: true, message, output, failure };
}

function toFault(tool: string, code: string, message: string): Failure {
  const known = Object.hasOwn(CLI_ERRORS, code) ? (code as ErrorCode) : 'tool_failed';
  const [kind, exitCode] = CLI_ERRORS[known];
  const error = {
    kind: known === 'not_found' ? 'runtime' : kind,
    operation: 'execute_tool',
    target: tool,
    retryable: ERROR_CATALOGUE[known].retryable,
    message,
    ...(known === 'policy_denied' ? { hint: `claw policy list shows the grants` } : {}),
  };
  return exitCode === 2 ? { exitCode, error, message } : { exitCode, error };
}

/** Commands are told apart by how they ended. */
function describe(output: JsonValue): string {
  if (!isJsonObject(output) || typeof output['exit_code'] !== 'number') return '';
  return `exit code ${output['exit_code']}`;
}

function parseOutput(text: string): JsonValue {
  if (text === '') return null;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A server may cut what it shows of a long output.
    return text;
  }
}

import { defined } from '../../../core/defined.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../core/json.ts';
import { reportsFailure } from '../../../core/tools/layers.ts';
import type { ToolResultShape } from '../../../operations/runs/run-shapes.ts';
import { toOneLine } from '../print/plain-text.ts';
import { CLI_ERRORS } from '../program/errors.ts';
import type { Failure } from '../program/failure.ts';

/** What one call of a tool came to. */
export interface ToolAnswer {
  /** Whether the tool did its work; also when what it did reports a failure, as a command with an exit code does. */
  readonly isHandled: boolean;
  readonly message: string;
  readonly output: JsonValue;
  readonly failure: Failure | undefined;
}

const MAX_MESSAGE_CHARS = 300;

/** The codes of tool results, which are contract 1's. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  'invalid.request': 'invalid_input',
  'policy.denied': 'policy_denied',
  'tool.not_found': 'tool_not_found',
  'tool.input_invalid': 'tool_input_invalid',
  'sandbox.required': 'sandbox_required',
  'sandbox.unavailable': 'sandbox_unavailable',
  'rate.limited': 'rate_limited',
  'queue.full': 'queue_full',
  conflict: 'conflict',
  circuit_open: 'circuit_open',
  outcome_unknown: 'outcome_unknown',
  cancelled: 'cancelled',
  timeout: 'timeout',
  tool_failed: 'tool_failed',
  'internal.error': 'tool_failed',
};

export function toToolAnswer(
  result: Pick<ToolResultShape, 'tool' | 'error' | 'output' | 'summary'>,
): ToolAnswer {
  const { tool, error } = result;
  const [, code = '', said = error] = /^([a-z_.]+): ([\s\S]*)$/.exec(error) ?? [];
  if (error !== '') {
    const message = toOneLine(said, MAX_MESSAGE_CHARS);
    return {
      isHandled: false,
      message,
      output: null,
      failure: toFault(tool, toCode(code), message),
    };
  }
  const output = parseOutput(result.output);
  const message = describe(output) || toOneLine(result.summary, MAX_MESSAGE_CHARS) || 'ok';
  const failure = reportsFailure(output) ? toFault(tool, 'tool_failed', message) : undefined;
  return { isHandled: true, message, output, failure };
}

function toCode(wireCode: string): ErrorCode {
  return (Object.hasOwn(CODES, wireCode) ? CODES[wireCode] : undefined) ?? 'tool_failed';
}

function toFault(tool: string, code: ErrorCode, message: string): Failure {
  const [kind, exitCode] = CLI_ERRORS[code];
  const hint = code === 'policy_denied' ? findHint(tool, message) : undefined;
  const error = {
    kind,
    operation: 'execute_tool',
    target: tool,
    retryable: ERROR_CATALOGUE[code].retryable,
    message,
    ...defined({ hint }),
  };
  return exitCode === 2 ? { exitCode, error, message } : { exitCode, error };
}

/** The command that changes what was refused, where the refusal names none itself. */
function findHint(tool: string, message: string): string | undefined {
  if (message.startsWith('agent ')) return `claw policy grant ${tool} lets it`;
  if (message.startsWith('command is not allowed')) {
    return 'claw enable shell "COMMAND" allows a command by its first words; claw policy list shows the rules';
  }
  if (message.includes('policy.mode')) return 'claw config set policy.mode full lets it';
  return message.includes('claw enable') ? undefined : 'claw policy list shows what is granted';
}

/** Commands are told apart by how they ended; one that ended well may have failed in another way. */
function describe(output: JsonValue): string {
  if (!isJsonObject(output) || typeof output['exit_code'] !== 'number') return '';
  const { exit_code: exitCode, error } = output;
  if (exitCode === 0 && typeof error === 'string') return toOneLine(error, MAX_MESSAGE_CHARS);
  return `exit code ${exitCode}`;
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

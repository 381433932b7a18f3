import { RuntimeError } from '../core/errors.ts';

export interface CallFault {
  readonly error: RuntimeError;
  /** Whether the connection is of no further use. */
  readonly isLost: boolean;
}

const MAX_MESSAGE_CHARS = 500;
const INVALID_PARAMS = -32602;
/** The request never left, so nothing can have happened. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const GONE = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED']);
/** It did answer, and so it was called; what came of that it did not say in words of the protocol. */
const SENSELESS = new Set([
  'INVALID_RESULT',
  'UNSUPPORTED_RESULT_TYPE',
  'CLIENT_HTTP_UNEXPECTED_CONTENT',
]);

/** Why a call brought no result. What may have had an effect nobody knows of is never called a plain failure. */
export function toCallFault(
  thrown: unknown,
  call: { readonly server: string; readonly tool: string; readonly idempotent: boolean },
): CallFault {
  const { code, status, message, causeCode } = readError(thrown);
  if (code === 'REQUEST_TIMEOUT') {
    const error = new RuntimeError('timeout', `${call.tool} did not answer in time`, {
      retryable: call.idempotent,
      cause: thrown,
    });
    return { error, isLost: false };
  }
  if (code === INVALID_PARAMS) return answered('tool_input_invalid', message, thrown);
  if (typeof code === 'number') return answered('tool_failed', message, thrown);
  if (status === 429)
    return answered('rate_limited', `mcp server ${call.server}: ${message}`, thrown);
  // The session is gone; whoever answers now has not seen the call.
  if (status === 404) return { error: unsent(call.server, message, thrown), isLost: true };
  if (status !== undefined && status < 500) {
    return answered('tool_failed', `mcp server ${call.server} refused: ${message}`, thrown);
  }
  if (causeCode !== undefined && UNSENT.has(causeCode)) {
    return { error: unsent(call.server, causeCode, thrown), isLost: true };
  }
  const isLost = status === undefined && (typeof code !== 'string' || GONE.has(code));
  const { server, tool } = call;
  const text =
    typeof code === 'string' && SENSELESS.has(code)
      ? `mcp server ${server} answered ${tool} with what is no result: ${message}`
      : `mcp server ${server} was lost while ${tool} ran: ${message}`;
  return { error: unanswered(call.idempotent, text, thrown), isLost };
}

export function unsent(server: string, reason: string, cause?: unknown): RuntimeError {
  return new RuntimeError('tool_failed', `mcp server ${server} is not connected: ${reason}`, {
    retryable: true,
    details: { effect: 'none' },
    cause,
  });
}

function answered(
  code: 'tool_failed' | 'tool_input_invalid' | 'rate_limited',
  message: string,
  cause: unknown,
): CallFault {
  return { error: new RuntimeError(code, message, { cause }), isLost: false };
}

function unanswered(idempotent: boolean, text: string, cause: unknown): RuntimeError {
  return idempotent
    ? new RuntimeError('tool_failed', text, { retryable: true, cause })
    : new RuntimeError('outcome_unknown', text, { details: { effect: 'unknown' }, cause });
}

interface ReadError {
  readonly code: string | number | undefined;
  readonly status: number | undefined;
  readonly message: string;
  readonly causeCode: string | undefined;
}

/** By shape: the SDK's classes are loaded only when they are needed. */
function readError(thrown: unknown): ReadError {
  if (!(thrown instanceof Error)) {
    return { code: undefined, status: undefined, message: 'unknown fault', causeCode: undefined };
  }
  const { code, data } = thrown as { readonly code?: unknown; readonly data?: unknown };
  const status = (data as { readonly status?: unknown } | undefined)?.status;
  const causeCode = (thrown.cause as { readonly code?: unknown } | undefined)?.code;
  return {
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    status: typeof status === 'number' ? status : undefined,
    message: thrown.message.slice(0, MAX_MESSAGE_CHARS),
    causeCode: typeof causeCode === 'string' ? causeCode : undefined,
  };
}

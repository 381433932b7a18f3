import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RuntimeError } from '../../core/errors.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import type { EncodeError } from './surface.ts';

const LINGER_MS = 1000;

const REFUSALS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request was not received in time'],
};
const MALFORMED = ['400 Bad Request', 'request is not valid HTTP'] as const;

/** Answers what never became a request. Nothing of the framework runs for it, so the bytes are written here. */
export function createClientErrorAnswer(deps: {
  readonly encodeError: EncodeError;
  readonly newRequestId: () => string;
}): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasAnswerUnderway(socket)) {
      socket.destroy();
      return;
    }
    const [status, message] = REFUSALS[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(deps.encodeError(new RuntimeError('invalid_input', message)).body);
    const head = [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${deps.newRequestId()}`,
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // Destroying at once would reset the connection before the answer is read; waiting forever would hold it.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Garbage behind a valid request must not be answered in the middle of that request's answer. */
function hasAnswerUnderway(
  socket: Socket & { readonly _httpMessage?: ServerResponse | null },
): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

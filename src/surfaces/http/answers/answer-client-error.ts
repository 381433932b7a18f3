import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { RuntimeError } from '../../../core/errors.ts';
import { SECURITY_HEADERS } from '../security-headers.ts';
import type { EncodeError } from '../surface.ts';

const LINGER_MS = 1000;

const REFUSALS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request was not received in time'],
};
const MALFORMED = ['400 Bad Request', 'request is not valid HTTP'] as const;

/** Answers to what never became a request. Nothing of the framework runs for it, so the bytes are written here. */
export interface ClientErrorAnswers {
  toUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void;
  /** We are no proxy; Node itself would close without a word. */
  toConnect(socket: Duplex): void;
}

export function createClientErrorAnswers(deps: {
  readonly encodeError: EncodeError;
  readonly newRequestId: () => string;
}): ClientErrorAnswers {
  function answer(socket: Duplex, status: string, error: RuntimeError): void {
    const body = JSON.stringify(deps.encodeError(error).body);
    const head = [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${deps.newRequestId()}`,
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
    ];
    // The caller may be gone by now, and nobody else listens on this socket any more.
    socket.on('error', () => {});
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // Destroying at once would reset the connection before the answer is read; waiting forever would hold it.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  return {
    toUnreadable(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable || hasAnswerUnderway(socket)) {
        socket.destroy();
        return;
      }
      const [status, message] = REFUSALS[error.code ?? ''] ?? MALFORMED;
      answer(socket, status, new RuntimeError('invalid_input', message));
    },

    toConnect(socket) {
      const error = new RuntimeError('method_not_allowed', 'method CONNECT is not allowed');
      answer(socket, '405 Method Not Allowed', error);
    },
  };
}

/** Garbage behind a valid request must not be answered in the middle of that request's answer. */
function hasAnswerUnderway(
  socket: Duplex & { readonly _httpMessage?: ServerResponse | null },
): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

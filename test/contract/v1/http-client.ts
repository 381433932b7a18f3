import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export const TOKEN = 'test-token-3f9c';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined when it is empty. */
  readonly body: unknown;
}

export interface Call {
  readonly method?: string;
  /** An undefined value takes a header away that would be sent otherwise. */
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as it is when a string or bytes, else as JSON. */
  readonly body?: unknown;
  /** Without the token. */
  readonly anonymous?: boolean;
}

export interface HttpClient {
  call(path: string, options?: Call): Promise<Answer>;
  post(path: string, body: unknown, options?: Call): Promise<Answer>;
}

export function createHttpClient(port: number): HttpClient {
  return {
    call: (path, options = {}) => call(port, path, options),
    post: (path, body, options = {}) => call(port, path, { ...options, method: 'POST', body }),
  };
}

/** One request on a connection of its own, as close to the wire as a test needs. */
function call(port: number, path: string, options: Call = {}): Promise<Answer> {
  const payload = encodeBody(options.body);
  const headers: OutgoingHttpHeaders = {
    ...(options.anonymous ? {} : { authorization: `Bearer ${TOKEN}` }),
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': payload.length }),
  };
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: isJson && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** Writes bytes and answers with everything that comes back until the server closes. */
export function rawCall(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

function encodeBody(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

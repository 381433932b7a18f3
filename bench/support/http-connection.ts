import { connect, type Socket } from 'node:net';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One kept-alive connection with one request under way: a client that costs as little as possible. */
export interface HttpConnection {
  send(request: Buffer): Promise<Answer>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;

/** Understands what the measured servers send: a content length, or chunks that end with the empty one. */
export async function openConnection(port: number): Promise<HttpConnection> {
  const socket = await connectTo(port);
  let received = '';
  let bodyAt = -1;
  let bodyLength: number | undefined;
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  function readHead(): void {
    const end = received.indexOf(HEAD_END);
    if (end === -1) return;
    bodyAt = end + HEAD_END.length;
    const length = LENGTH.exec(received.slice(0, end))?.[1];
    bodyLength = length === undefined ? undefined : Number(length);
  }

  function isComplete(): boolean {
    if (bodyAt === -1) return false;
    if (received.startsWith('HTTP/1.1 204')) return true;
    return bodyLength === undefined
      ? received.endsWith('0\r\n\r\n')
      : received.length >= bodyAt + bodyLength;
  }

  socket.on('data', (chunk) => {
    // Latin-1 keeps one character per byte, so that lengths are right.
    received = received === '' ? chunk.toString('latin1') : received + chunk.toString('latin1');
    if (bodyAt === -1) readHead();
    if (!isComplete()) return;
    const answer = { status: Number(received.slice(9, 12)), body: received.slice(bodyAt) };
    received = '';
    bodyAt = -1;
    waiting?.resolve(answer);
  });
  const fail = () => waiting?.reject(new Error('the server closed the connection'));
  socket.on('close', fail);
  socket.on('error', fail);

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function connectTo(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

export interface RequestParts {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function encodeRequest({ method, path, token, headers, body }: RequestParts): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}${HEAD_END}${body ?? ''}`);
}

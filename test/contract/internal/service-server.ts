import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type AnswerService = (request: ServiceRequest, response: ServerResponse) => void;

export interface ServiceServer {
  readonly url: string;
  /** In the order they came. */
  readonly requests: readonly ServiceRequest[];
  /** From the next request on. */
  answer(answer: AnswerService): void;
}

/** Stands for GitHub or Resend, on loopback. Closed when the test ends. */
export async function openServiceServer(first: AnswerService): Promise<ServiceServer> {
  const requests: ServiceRequest[] = [];
  let current = first;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, headers, body });
      current({ method, path, headers, body }, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (next) => {
      current = next;
    },
  };
}

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): AnswerService {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
}

export type Respond = (response: ServerResponse, request: ProviderRequest) => void;

/** A loopback server in the place of a model provider. Responders answer in turn; the last one stays. */
export interface ProviderServer {
  readonly url: string;
  readonly requests: readonly ProviderRequest[];
  close(): Promise<void>;
}

export async function openProviderServer(...responders: Respond[]): Promise<ProviderServer> {
  const requests: ProviderRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
      const respond = responders[Math.min(requests.length, responders.length - 1)];
      requests.push(received);
      respond?.(response, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with a whole event stream. */
export function streams(bytes: string | Buffer): Respond {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(bytes);
  };
}

export function answers(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Chat-completions chunks as a server sends them, with the mark at the end. */
export function toChatStream(chunks: readonly unknown[]): string {
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

export function chatDelta(delta: unknown, finishReason: string | null = null): unknown {
  return { choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

export function chatUsage(promptTokens: number, completionTokens: number, cached = 0): unknown {
  return {
    choices: [],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      prompt_tokens_details: { cached_tokens: cached },
    },
  };
}

/** Messages-API events as Anthropic sends them. */
export function toMessageStream(events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  return text;
}

import { type IncomingHttpHeaders, type IncomingMessage, request as open } from 'node:http';
import { TOKEN } from './workload-script.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const TIMEOUT_MS = 20_000;

/** One request on a connection of its own; rejects when the server dies under it. */
export async function request(url: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await openResponse(url, options);
  let text = '';
  for await (const chunk of response) text += chunk;
  // A connection cut in the middle of a body is no answer.
  if (!response.complete) throw new Error(`the answer of ${url} was cut off`);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

export function openResponse(url: string, options: RequestOptions): Promise<IncomingMessage> {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = open(url, { agent: false, method: options.method ?? 'GET', headers });
    outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error(`${url} did not answer`)));
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.setEncoding('utf8');
      resolve(response);
    });
    outgoing.end(body);
  });
}

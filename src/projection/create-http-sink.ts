import { RuntimeError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import type { ProjectionDocument, ProjectionName } from '../core/projection/projection.ts';
import type { ProjectionSink } from '../core/projection/projection-sink.ts';
import { newTraceparent } from '../core/trace-context.ts';

/** More than any answer to a mutation; the rest is left unread. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_MESSAGE_CHARS = 300;
const PRINTABLE = /^[\x21-\x7e]+$/;

export interface HttpSinkConfig {
  /** Of the deployment, without a path. */
  readonly url: string;
  readonly timeoutMs: number;
  /** The function of the deployment that takes each kind of document. */
  readonly mutations: Readonly<Record<ProjectionName, string>>;
  /** Asked before each write: it may be rotated. */
  readonly findDeployKey: () => Promise<string | undefined>;
}

/** A Convex deployment, by its HTTP API. */
export function createHttpSink(config: HttpSinkConfig): ProjectionSink {
  const target = new URL('api/mutation', config.url.endsWith('/') ? config.url : `${config.url}/`);
  return {
    kind: 'http',

    async write(document) {
      const key = await config.findDeployKey();
      if (key !== undefined && !PRINTABLE.test(key)) {
        throw refused('the deploy key is not printable ASCII without spaces');
      }
      const answer = await post(target, {
        body: encodeMutation(config.mutations[document.projection], document),
        key,
        timeoutMs: config.timeoutMs,
      });
      assertStored(answer);
    },
  };
}

function encodeMutation(path: string, { id, summary }: ProjectionDocument): string {
  return JSON.stringify({ path, args: { document_id: id, summary }, format: 'json' });
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Mutation {
  readonly body: string;
  readonly key: string | undefined;
  readonly timeoutMs: number;
}

async function post(target: URL, { body, key, timeoutMs }: Mutation): Promise<Answer> {
  try {
    const response = await fetch(target, {
      method: 'POST',
      // A key must not follow a redirect to another host.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        // Delivered behind the runs, and perhaps several times: each delivery is a trace of its own.
        traceparent: newTraceparent(),
        ...(key !== undefined && { authorization: `Convex ${key}` }),
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await readStart(response) };
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    const problem = isLate ? `did not answer within ${timeoutMs} ms` : 'can not be reached';
    throw new RuntimeError('provider_failed', `the deployment at ${target.host} ${problem}`, {
      cause,
    });
  }
}

async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Answers 200 also when the function threw: only `success` means stored. */
function assertStored({ status, text }: Answer): void {
  if (status < 200 || status > 299) throw refused(`it answered ${status}`);
  const answer = parse(text);
  if (!isJsonObject(answer)) throw refused('its answer is not a JSON object');
  if (answer['status'] === 'success') return;
  const { errorMessage } = answer;
  throw refused(typeof errorMessage === 'string' ? errorMessage : 'it did not say success');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(reason: string): RuntimeError {
  const message = `the deployment did not take the document: ${reason.slice(0, MAX_MESSAGE_CHARS)}`;
  return new RuntimeError('provider_failed', message);
}

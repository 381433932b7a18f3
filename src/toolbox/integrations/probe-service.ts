import { defined } from '../../core/defined.ts';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import type { Probe, ProbeResult } from '../../core/integrations/panel.ts';
import { isJsonObject } from '../../core/json.ts';
import { guardedRequest } from '../http/guarded-request.ts';
import { withDeadline } from '../http/with-deadline.ts';
import { createServiceGuard } from './service-guard.ts';

const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_REDIRECTS = 2;
/** People look at the answer and wait for it. */
const MAX_WAIT_MS = 5_000;

/** Reads one thing of the service with its key, and tells what came back. Whatever goes wrong is an answer too. */
export async function probeService(probe: Probe, timeoutMs: number): Promise<ProbeResult> {
  try {
    return await request(probe, Math.min(timeoutMs, MAX_WAIT_MS));
  } catch (thrown) {
    const { message } = toRuntimeError(thrown);
    return { outcome: 'unreachable', message: `${probe.name} can't be asked: ${message}` };
  }
}

async function request(probe: Probe, timeoutMs: number): Promise<ProbeResult> {
  const { name, baseUrl, path, key, authorization } = probe;
  // What else could break out of the header, or be another key than was meant.
  if (/[^\x21-\x7e]/.test(key)) {
    throw new RuntimeError('policy_denied', "its key can't be sent in a header");
  }
  const timedOut = new RuntimeError('timeout', `no answer within ${timeoutMs} ms`);
  const deadline = { timeoutMs, timedOut, signal: new AbortController().signal };
  const { status, body } = await withDeadline(deadline, (signal) =>
    guardedRequest(createServiceGuard({ name, baseUrl }), {
      url: `${baseUrl.replace(/\/+$/, '')}${path}`,
      method: 'GET',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'pincer',
        authorization,
      },
      body: undefined,
      secretNames: new Set(['authorization']),
      isWrite: false,
      mayRepeat: true,
      maxBytes: MAX_RESPONSE_BYTES,
      maxRedirects: MAX_REDIRECTS,
      signal,
    }),
  );
  const errorName = nameOf(body.bytes.toString('utf8'));
  return {
    outcome: 'answered',
    httpStatus: status,
    ...defined({ errorName }),
  };
}

/** How services such as Resend name a refusal. */
function nameOf(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const name = isJsonObject(body) ? body['name'] : undefined;
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

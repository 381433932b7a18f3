import { RuntimeError, toRuntimeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { isStopped } from '../core/kill-switch/kill-switch.ts';
import { isLeftOpen } from '../core/loop/execution.ts';
import type { ModelPart } from '../core/loop/model.ts';
import { ConnectionLost } from './connection-fault.ts';
import { decodeEnd, type RemoteEnd } from './decode-end.ts';
import { findEarlier, followToEnd } from './find-earlier.ts';
import type { GatewayLine } from './gateway-line.ts';
import { GatewayError } from './gateway-requests.ts';
import { createPartQueue } from './part-queue.ts';
import type { Asking, Question } from './session.ts';

/** How often a gateway that has no room now is asked again. */
const MAX_BUSY = 5;
const BUSY_MS = 1_000;
const MOST_BUSY_MS = 30_000;

/** One turn of an agent that lives in a gateway. */
export async function* askGateway(
  line: GatewayLine,
  question: Question,
  { isRepeat, progress, signal }: Asking,
): AsyncGenerator<ModelPart> {
  const queue = createPartQueue();
  const release = line.follow(question.key, (event) => {
    for (const part of progress.take(event)) queue.add(part);
  });
  const onAbort = () => queue.fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  void line.closed.then(() => queue.fail(new ConnectionLost('closed', 'the connection was lost')));
  const reach = async () =>
    (isRepeat ? await findEarlier(line, question, signal) : undefined) ??
    (await send(line, question, signal));
  void reach().then(
    (end) => queue.end(toFinish(end, progress.text)),
    (thrown: unknown) => queue.fail(thrown),
  );
  try {
    yield* queue.drain();
  } finally {
    release();
    signal.removeEventListener('abort', onAbort);
    if (isToEnd(signal)) stopThere(line, question);
  }
}

/** Whether the agent there is to stop too. A run that goes on after a restart of ours finds it at work, or done. */
function isToEnd(signal: AbortSignal): boolean {
  return signal.aborted && (!isLeftOpen(signal) || isStopped(toRuntimeError(signal.reason)));
}

/** Nobody waits for it: the run has its end here, whatever the gateway says. */
function stopThere(line: GatewayLine, { sessionKey, key }: Question): void {
  line.send('chat.abort', { sessionKey, runId: key }).catch(() => {});
}

async function send(
  line: GatewayLine,
  question: Question,
  signal: AbortSignal,
): Promise<RemoteEnd> {
  const params = {
    message: question.message,
    agentId: question.remoteAgent,
    sessionKey: question.sessionKey,
    idempotencyKey: question.key,
    // Its answer is for the run here, and for no channel of the gateway.
    deliver: false,
    ...(question.system === '' ? {} : { extraSystemPrompt: question.system }),
  };
  assertFits(params, line.maxPayloadBytes);
  for (let busy = 1; ; busy += 1) {
    try {
      const answer = await line.send('agent', params, { onAccepted: () => {} });
      if (answer['status'] === 'in_flight') return followToEnd(line, question, signal);
      return decodeEnd(answer);
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
      if (!thrown.isRetryable || busy >= MAX_BUSY) throw toAskFault(thrown);
      const waitMs = Math.min(MOST_BUSY_MS, thrown.retryAfterMs ?? BUSY_MS);
      await line.clock.sleep(waitMs, signal);
      if (signal.aborted) throw signal.reason;
    }
  }
}

/** Room for the frame around the parameters. */
const FRAME_BYTES = 1_024;

function assertFits(params: JsonObject, maxPayloadBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(params), 'utf8') + FRAME_BYTES;
  if (bytes <= maxPayloadBytes) return;
  throw new RuntimeError(
    'payload_too_large',
    `the message has ${bytes} bytes, and the gateway takes ${maxPayloadBytes}`,
  );
}

/** The gateway refused the question itself: nothing was begun. */
function toAskFault({ code, message, isRetryable }: GatewayError): RuntimeError {
  const isOurs = code === 'INVALID_REQUEST' || code === 'FORBIDDEN';
  const details = { unreachable: true, gateway_code: code };
  return new RuntimeError(
    isOurs ? 'provider_misconfigured' : 'provider_failed',
    `the OpenClaw gateway refused: ${message}`,
    { details, retryable: isRetryable && !isOurs },
  );
}

function toFinish({ text, usage }: RemoteEnd, streamed: string): ModelPart {
  return { type: 'finish', reason: 'stop', usage, text: text ?? streamed };
}

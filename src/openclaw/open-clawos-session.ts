import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModelPart, Usage } from '../core/loop/model.ts';
import {
  type ClawosFrame,
  decodeClawosFrame,
  encodeAgentRequest,
  type Origin,
} from './clawos-frames.ts';
import { ConnectionLost } from './connection-fault.ts';
import { addUsage, UNKNOWN_USAGE } from './decode-end.ts';
import { openSocket } from './open-socket.ts';
import { createPartQueue, type PartQueue } from './part-queue.ts';
import type { Question, Session, SessionRequest, UnclaimedUsage } from './session.ts';

/** No ticks in this dialect: WebSocket pings take their place. */
const PING_MS = 15_000;

interface OpenQuestion {
  readonly question: Question;
  readonly queue: PartQueue;
  usage: Usage | undefined;
}

/** A session in the dialect of ClawOS: no handshake, a request, and frames that may or may not say whose they are. */
export async function openClawosSession(
  { clock }: { readonly clock: Clock },
  request: SessionRequest,
): Promise<Session> {
  const open = new Map<string, OpenQuestion>();
  const { token } = request.credentials;
  const socket = await openSocket({
    ...{ url: request.url, clock, timeoutMs: request.connectTimeoutMs },
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    onFrame,
  });
  socket.watchSilence(PING_MS, 'pongs');

  function onFrame(raw: JsonObject): void {
    const frame = decodeClawosFrame(raw);
    if (!frame) return;
    const asked = frame.kind === 'reply' ? open.get(frame.key) : findAsked(open, frame);
    if (asked) take(asked, frame);
    else if (frame.kind === 'usage') request.onUsage(frame.usage);
    else request.onUnclaimed();
  }

  return {
    facts: { version: undefined, protocol: undefined, scopes: [] },
    closed: socket.closed,
    close: () => socket.close(1000, 'done'),
    async *ask(question, { isRepeat, signal }) {
      // This dialect has no way to find out.
      if (isRepeat) throw unknownOutcome();
      const queue = createPartQueue();
      const onAbort = () => queue.fail(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      void socket.closed.then(() =>
        queue.fail(new ConnectionLost('closed', 'the connection was lost')),
      );
      open.set(question.key, { question, queue, usage: undefined });
      try {
        socket.send(encodeAgentRequest(question));
        yield* queue.drain();
      } finally {
        open.delete(question.key);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** By the id of the request, else by agent and project where only one question fits. */
function findAsked(
  open: ReadonlyMap<string, OpenQuestion>,
  { key, projectId, agentId }: Origin,
): OpenQuestion | undefined {
  if (key !== undefined) return open.get(key);
  const fitting = [...open.values()].filter(
    ({ question }) =>
      question.projectId === projectId &&
      (agentId === undefined || agentId === question.remoteAgent || agentId === question.agent.id),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function take(asked: OpenQuestion, frame: ClawosFrame): void {
  const { queue } = asked;
  switch (frame.kind) {
    case 'reply': {
      const usage = asked.usage ?? UNKNOWN_USAGE;
      const end: ModelPart = { type: 'finish', reason: 'stop', usage, text: frame.text };
      queue.add({ type: 'text', delta: frame.text });
      queue.end(end);
      break;
    }
    case 'usage': {
      const more = toUsage(frame.usage);
      asked.usage = asked.usage ? addUsage(asked.usage, more) : more;
      break;
    }
    case 'thought':
    case 'action':
      queue.add({ type: 'note', kind: frame.kind, text: frame.text });
  }
}

function toUsage({ tokensIn, tokensOut, costUsd }: UnclaimedUsage): Usage {
  return { inputTokens: tokensIn, outputTokens: tokensOut, costUsd };
}

function unknownOutcome(): RuntimeError {
  return new RuntimeError(
    'outcome_unknown',
    'the message may have been sent before the connection or the server was lost, and this gateway can not tell; look there before asking again',
  );
}

import { RuntimeError } from '../core/errors.ts';
import type { Asker, Message, Model, ModelRequest } from '../core/loop/model.ts';
import { OPERATOR } from '../core/principal.ts';
import { DEFAULT_PROJECT_ID } from '../core/projects/project-id.ts';
import { createAnswerProgress } from './answer-progress.ts';
import { ConnectionLost, NOT_SENT } from './connection-fault.ts';
import type { GatewayBridge } from './gateway-bridge.ts';
import type { Question, Session } from './session.ts';

/** Connections that one question may be lost with: a gateway that takes it and dies every time ends the run. */
const MAX_LOSSES = 5;

export interface RemoteAgent {
  readonly name: string;
  /** Whether runs of a product's users and guests may reach it. */
  readonly servesPrincipals: boolean;
}

/** An agent that lives in a gateway, asked as a model is: a turn of a run here is a run there. */
export function createRemoteModel(
  bridge: Pick<GatewayBridge, 'acquire' | 'countRun'>,
  { name, servesPrincipals }: RemoteAgent,
): Model {
  return {
    provider: 'openclaw',
    name,
    toolCalls: 'none',
    async *stream(request, signal) {
      const question = toQuestion(name, request);
      if (!servesPrincipals) assertOperator(request);
      assertNoFork(request);
      const progress = createAnswerProgress();
      let isRepeat = request.asker?.isRepeat ?? false;
      bridge.countRun(1);
      try {
        for (let losses = 0; ; losses += 1) {
          const session = await acquire(bridge, signal, losses > 0 && isRepeat);
          try {
            return yield* session.ask(question, { isRepeat, progress, signal });
          } catch (thrown) {
            if (!(thrown instanceof ConnectionLost)) throw thrown;
            if (losses >= MAX_LOSSES) throw unknownOutcome(thrown);
            isRepeat ||= thrown.code !== NOT_SENT;
            // Until then the bridge would hand out the same one.
            await Promise.race([session.closed, untilAborted(signal)]);
          }
        }
      } finally {
        bridge.countRun(-1);
      }
    },
  };
}

function toQuestion(remoteAgent: string, { asker, messages, system }: ModelRequest): Question {
  if (!asker) throw new RuntimeError('internal', 'an agent in OpenClaw was asked outside of a run');
  return {
    key: `pincer-${asker.runId}-${asker.turn}`,
    sessionKey: toSessionKey(remoteAgent, asker),
    remoteAgent,
    message: toMessage(asker, messages),
    system,
    agent: asker.agent,
    projectId: asker.projectId ?? DEFAULT_PROJECT_ID,
  };
}

/** What an agent there may use is up to the gateway, and no policy of ours holds there. */
function assertOperator({ asker }: ModelRequest): void {
  if (asker?.owner === OPERATOR) return;
  throw new RuntimeError(
    'policy_denied',
    'agents in OpenClaw work for the operator alone; openclaw.allow_principals lets others reach them',
  );
}

/** Forks ask before they act outward, which nobody can hold an agent there to. */
function assertNoFork({ asker }: ModelRequest): void {
  if (!asker?.isFork) return;
  throw new RuntimeError(
    'policy_denied',
    'a fork asks before it acts outward, and an agent in OpenClaw does not: fork with an agent or a model of this runtime',
  );
}

/** In lower case, as gateways keep them. */
function toSessionKey(remoteAgent: string, { sessionId, runId }: Asker): string {
  return `agent:${remoteAgent}:pincer:${sessionId ?? runId}`.toLowerCase();
}

/** Without a session the conversation there begins with this run, and knows nothing of what was said before. */
function toMessage({ sessionId, turn }: Asker, messages: readonly Message[]): string {
  const isWhole = sessionId === undefined && turn === 1 && messages.length > 1;
  if (!isWhole) return takeUnanswered(messages);
  return messages.map(({ role, text }) => `${role}: ${text}`).join('\n\n');
}

/** What was said since the last answer: the conversation before it is kept there. */
function takeUnanswered(messages: readonly Message[]): string {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(answered + 1)
    .map(({ text }) => text)
    .join('\n\n');
}

/** After a loss the message is out there: that there is no way back to it is more than not to reach anybody. */
async function acquire(
  bridge: Pick<GatewayBridge, 'acquire'>,
  signal: AbortSignal,
  isSent: boolean,
): Promise<Session> {
  try {
    return await bridge.acquire(signal, { isAgain: isSent });
  } catch (thrown) {
    if (!isSent || signal.aborted) throw thrown;
    throw unknownOutcome(thrown);
  }
}

function unknownOutcome(cause: unknown): RuntimeError {
  const { message } = cause instanceof Error ? cause : { message: 'no reason is known' };
  return new RuntimeError(
    'outcome_unknown',
    `the connection to OpenClaw was lost over a message (${message}); whether the agent acted on it is unknown`,
    { cause },
  );
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

import { createHash } from 'node:crypto';
import { type AgentDirectory, resolveAgent } from '../agents/resolve-agent.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import type { Ids, RunId, SessionId } from '../ids.ts';
import { canonicalJson } from '../json.ts';
import { encodePrompt, type Prompt } from '../loop/prompt.ts';
import { encodeHistory, type History } from '../loop/record/history.ts';
import { OPERATOR } from '../principal.ts';
import type { Redactor } from '../redact/redact.ts';
import { sessionNotFound } from '../sessions/session-not-found.ts';
import type { Tracer } from '../telemetry.ts';
import { encodeTrace, type TraceContext } from '../trace-context.ts';
import { encodeForkPoint } from './fork-point.ts';
import type { ForkPoint, Run } from './run.ts';
import type { CreateOptions, CreateResult, RunStore } from './run-store.ts';
import type { RunSlots } from './runner.ts';

export interface SubmitRun {
  /** By id, slug or name. */
  readonly agentId: string;
  readonly message: string;
  /** Whom it acts for; the operator when left out. */
  readonly owner?: string;
  /** The surface it comes from: `http`, `cli`, … */
  readonly source: string;
  readonly id?: RunId;
  readonly sessionId?: SessionId;
  readonly projectId?: string;
  /** `provider/name` for this run, whatever its agent speaks with. */
  readonly model?: string;
  /** A whole conversation in place of the message, which then only says what it is about. */
  readonly prompt?: Prompt;
  /** The same key with the same request answers with the first run. */
  readonly idempotencyKey?: string;
  /** Whoever carries the message out needs it to the letter: it is refused when redaction would change it. */
  readonly isExact?: boolean;
  /** What it belongs to, when that is not what its request belongs to. */
  readonly trace?: TraceContext;
  /** What makes two requests with one key the same, when it is not these fields: chat finds the session by itself. */
  readonly idempotencyDigest?: string;
  /** What it goes on from: an event of another run, and all that was known by then with what is asked now. */
  readonly fork?: { readonly from: ForkPoint; readonly history: History };
}

export interface SubmitReceipt {
  readonly run: Run;
  readonly replayed: boolean;
}

export interface SubmitDeps {
  readonly runs: RunStore;
  readonly agents: AgentDirectory;
  readonly ids: Ids;
  readonly seal: Seal;
  readonly redactor: Redactor;
  /** The runner of this process, when it has one: a free slot takes the run at once. */
  readonly slots: RunSlots | undefined;
  readonly maxQueued: number;
  readonly maxWaitingInSession: number;
  /** Throws while no new work is taken. */
  readonly assertMaySubmit?: (request: SubmitRun) => Promise<void>;
  /** What a caller's request belongs to, the run belongs to. */
  readonly tracer?: Pick<Tracer, 'current'>;
}

/** How long a caller should wait before it tries a full queue, or a full session, again. */
const QUEUE_RETRY_SECONDS = 2;

/** Makes a run durable. When this returns, a crash can no longer lose it. */
export async function submitRun(deps: SubmitDeps, given: SubmitRun): Promise<SubmitReceipt> {
  const agent = await resolveAgent(deps.agents, given.agentId);
  const { id: agentId } = agent;
  // Whatever the agent was called: the same request by its other name is the same request.
  const request = { ...given, agentId };
  await deps.assertMaySubmit?.(request);
  const message = deps.redactor.redactText(request.message);
  if (request.isExact && message !== request.message) throw secretInside();
  const idempotency = toIdempotency(request);
  const { owner = OPERATOR, fork } = request;
  const trace = request.trace ?? deps.tracer?.current?.();
  const created = deps.seal({
    type: 'run.created',
    actor: 'user',
    payload: {
      source: request.source,
      ...(owner === OPERATOR ? {} : { principal: owner }),
      message,
      ...defined({
        session_id: request.sessionId,
        project_id: request.projectId,
        model: request.model,
      }),
      ...(request.prompt && { prompt: encodePrompt(request.prompt) }),
      ...(fork && {
        forked_from: encodeForkPoint(fork.from),
        history: encodeHistory(fork.history),
      }),
      ...(trace === undefined ? {} : { trace: encodeTrace(trace) }),
      // A run that is put back from its audit lines answers the same request again.
      ...(idempotency && { idempotency: { id: idempotency.key, digest: idempotency.digest } }),
    },
    ...(request.sessionId === undefined ? {} : { message: { role: 'user', content: message } }),
  });
  const slot = deps.slots?.reserve();
  try {
    faultPoint('submit.before_create');
    const result = await deps.runs.create(
      {
        id: request.id ?? deps.ids.run(),
        agentId,
        owner,
        source: request.source,
        message,
        ...defined({
          sessionId: request.sessionId,
          projectId: request.projectId,
          forkedFrom: fork?.from,
        }),
      },
      [created],
      {
        maxQueued: deps.maxQueued,
        maxWaitingInSession: deps.maxWaitingInSession,
        ...(idempotency && { idempotency }),
        ...(slot === undefined ? {} : { lease: slot.claim }),
      },
    );
    faultPoint('submit.after_create');
    if (result.outcome === 'created' && result.lease !== undefined) {
      const { run, lease } = result;
      // A trace, a model, a prompt or a history of its own is in the log and nowhere else.
      const { trace: given, model, prompt } = request;
      const isPlain = !given && model === undefined && !prompt && !fork;
      const fresh = isPlain ? { isFresh: true as const } : {};
      slot?.start({ run, lease, agent, resumed: false, cancelRequested: false, ...fresh });
    }
    return toReceipt(deps, request, result);
  } finally {
    slot?.cancel();
  }
}

function toReceipt(deps: SubmitDeps, request: SubmitRun, result: CreateResult): SubmitReceipt {
  switch (result.outcome) {
    case 'created':
      return { run: result.run, replayed: false };
    case 'replayed':
      return { run: result.run, replayed: true };
    case 'conflict':
      throw new RuntimeError('conflict', 'idempotency key was used for another request', {
        details: { key: request.idempotencyKey },
      });
    case 'queue_full':
      throw queueFull(deps.maxQueued);
    case 'session_full':
      throw sessionFull(request.sessionId, deps.maxWaitingInSession);
    case 'session_missing':
      throw sessionNotFound(request.sessionId ?? '');
    case 'session_closed':
      throw new RuntimeError('conflict', `session ${request.sessionId} is closed`, {
        details: { session_id: request.sessionId },
      });
  }
}

export function queueFull(maxQueued: number): RuntimeError {
  return new RuntimeError('queue_full', `run queue is full (${maxQueued} waiting)`, {
    details: { retry_after_seconds: QUEUE_RETRY_SECONDS },
  });
}

function sessionFull(id: SessionId | undefined, maxWaiting: number): RuntimeError {
  return new RuntimeError(
    'queue_full',
    `session ${id} has ${maxWaiting} messages waiting: send more when its run has ended; ` +
      'if that run waits for an approval, decide it or cancel the run',
    { details: { session_id: id, retry_after_seconds: QUEUE_RETRY_SECONDS } },
  );
}

function secretInside(): RuntimeError {
  return new RuntimeError(
    'tool_input_invalid',
    'the payload holds what looks like a secret, which is not kept: store it with claw secrets set and name it as ' +
      '{{secret:NAME}} where the tool takes that',
  );
}

function toIdempotency(request: SubmitRun): CreateOptions['idempotency'] {
  const { idempotencyKey: key, idempotencyDigest } = request;
  return key === undefined ? undefined : { key, digest: idempotencyDigest ?? digestOf(request) };
}

function digestOf(request: SubmitRun): string {
  const body = canonicalJson({
    agentId: request.agentId,
    message: request.message,
    model: request.model,
    sessionId: request.sessionId,
    projectId: request.projectId,
    source: request.source,
  });
  return createHash('sha256').update(body).digest('hex');
}

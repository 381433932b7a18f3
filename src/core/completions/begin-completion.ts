import { createHash } from 'node:crypto';
import { type SubmitToSessionDeps, submitToSession } from '../chat/submit-to-session.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import { canonicalJson } from '../json.ts';
import { isAnswer, type Message } from '../loop/model.ts';
import { encodePrompt, type Prompt } from '../loop/prompt.ts';
import { cutText } from '../sessions/cut-text.ts';
import { assertFreeNames } from '../threads/assert-free-names.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { assertFollowsManner } from './assert-follows-manner.ts';
import { COMPLETION_SOURCE, type CompletionRequest, type Target } from './completions.ts';
import { type ContinueDeps, continueRun, type Wish } from './continue-run.ts';
import { type FindTargetDeps, findTarget } from './find-target.ts';
import type { Exchange } from './follow-answer.ts';
import { orderMessages } from './given-message.ts';
import { lookUpMessages } from './look-up-messages.ts';

export interface BeginDeps extends FindTargetDeps, ContinueDeps {
  readonly submitting: SubmitToSessionDeps;
  readonly registry: Pick<ToolRegistry, 'find'>;
}

/** See `Completions.begin`. */
export async function beginCompletion(
  deps: BeginDeps,
  request: CompletionRequest,
): Promise<Exchange> {
  const target = await findTarget(deps, request.model);
  const { system, messages: given } = await lookUpMessages(deps, request);
  const messages = orderMessages(given);
  if (messages.length === 0) throw nothingAsked();
  assertBounded(messages);
  const { clientTools } = request.prompt;
  const prompt = { ...request.prompt, system: [...system, ...request.prompt.system], messages };
  const wish = toWish(request, target, prompt);
  const continued = await continueRun(deps, wish);
  if (continued) return continued;
  await assertFollowsManner(deps, target, request);
  assertFreeNames(deps.registry, clientTools, 'tools');
  return begin(deps, request, wish);
}

/** A key means one thing here and another where runs are made by their message. */
const KEY_PREFIX = 'completion:';

function toWish(request: CompletionRequest, target: Target, prompt: Prompt): Wish {
  const { idempotencyKey: key, sessionId, projectId } = request;
  const content = { ...target, prompt: encodePrompt(prompt), sessionId, projectId };
  return {
    target,
    prompt,
    idempotencyKey: key === undefined ? undefined : `${KEY_PREFIX}${key}`,
    digest: createHash('sha256').update(canonicalJson(content)).digest('hex'),
  };
}

/** What lists of runs show of a conversation. */
const MAX_MESSAGE_CHARS = 2_000;

const FIRST_SEQ = 1;

async function begin(
  deps: BeginDeps,
  { sessionId, projectId }: CompletionRequest,
  { target, prompt, idempotencyKey, digest }: Wish,
): Promise<Exchange> {
  const { agentId, model } = target;
  const isKept = sessionId !== undefined;
  const messages = isKept ? sinceLastAnswer(prompt.messages) : prompt.messages;
  const { run, replayed } = await submitToSession(deps.submitting, {
    agentId,
    message: isKept ? toText(messages) : cutText(findQuestion(messages), MAX_MESSAGE_CHARS),
    source: COMPLETION_SOURCE,
    prompt: { ...prompt, messages },
    idempotencyDigest: digest,
    ...defined({ sessionId, projectId, model, idempotencyKey }),
  });
  return { run, startSeq: FIRST_SEQ, replayed };
}

/** A session has what was said before. */
function sinceLastAnswer(messages: readonly Message[]): readonly Message[] {
  // A call belongs to the results that follow it.
  const last = messages.findLastIndex(isAnswer);
  return last === messages.length - 1 ? messages.slice(-1) : messages.slice(last + 1);
}

function toText(messages: readonly Message[]): string {
  return messages.map(({ text }) => text).join('\n\n');
}

function findQuestion(messages: readonly Message[]): string {
  return messages.findLast(({ role }) => role === 'user')?.text ?? '';
}

/** As much as one body may bring: a chain of answers must not grow without end. */
const MAX_CONVERSATION_CHARS = 8 * 1024 * 1024;

function assertBounded(messages: readonly Message[]): void {
  const chars = messages.reduce((sum, { text }) => sum + text.length, 0);
  if (chars <= MAX_CONVERSATION_CHARS) return;
  throw new RuntimeError(
    'payload_too_large',
    `the conversation has ${chars} characters, and may have ${MAX_CONVERSATION_CHARS}`,
  );
}

function nothingAsked(): RuntimeError {
  return new RuntimeError('invalid_input', 'there must be a message that is not of the system', {
    details: { field: 'messages' },
  });
}

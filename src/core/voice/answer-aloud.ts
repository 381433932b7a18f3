import { createHash } from 'node:crypto';
import { type AgentDirectory, resolveAgent } from '../agents/resolve-agent.ts';
import { type MessageDeps, submitMessage } from '../chat/submit-message.ts';
import type { Spender } from '../costs/scope.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import { canonicalJson } from '../json.ts';
import { OPERATOR } from '../principal.ts';
import type { Runs } from '../runs/runs.ts';
import type { Place } from '../sessions/session.ts';
import { sessionNotFound } from '../sessions/session-not-found.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { MAX_AUDIO_BYTES } from './audio.ts';
import { followAnswer } from './follow-answer.ts';
import type { Speech, SpokenFiles } from './speech.ts';
import { toSpokenText } from './to-spoken-text.ts';
import { audioTooLarge, notAudio, nothingSaid } from './voice-errors.ts';
import type { VoiceRequest, VoiceStep } from './voice-request.ts';

export interface VoiceDeps {
  readonly speech: Speech;
  readonly files: SpokenFiles;
  readonly runs: Pick<Runs, 'submit' | 'get' | 'tail'>;
  readonly sessions: Pick<Sessions, 'get' | 'open' | 'findActiveAgent'>;
  readonly agents: AgentDirectory;
  /** Throws while no new work of this kind is taken: asked before anybody is paid to listen. */
  assertMaySubmit(work: Spender): Promise<void>;
  /** How long an answer may take, asked at each request. */
  answerTimeoutMs(): number;
}

const CHANNEL = 'voice';

/** One recording on its way. What costs nothing to refuse is refused before what costs something is done. */
export async function* answerAloud(
  deps: VoiceDeps,
  request: VoiceRequest,
  signal: AbortSignal,
): AsyncGenerator<VoiceStep> {
  const { audio, projectId } = request;
  if (audio.length === 0) throw notAudio('there is no audio');
  if (audio.length > MAX_AUDIO_BYTES) throw audioTooLarge();
  const agent = await resolveAgent(deps.agents, request.agentId);
  const clip = await deps.speech.inspect(audio, signal);
  await deps.assertMaySubmit({ agentId: agent.id, projectId });
  const { transcriber, speaker } = await deps.speech.choose(request.voiceId ?? agent.voiceId);
  const transcript = (await transcriber.transcribe(clip, signal)).trim();
  if (transcript === '') throw nothingSaid();
  const { run, sessionId, replayed } = await submit(deps, request, transcript);
  // As it is on record: what looks like a secret was struck out there.
  yield { step: 'heard', transcript: run.message, runId: run.id, sessionId, replayed };
  const answer = yield* followAnswer(deps, run.id, signal);
  yield { step: 'answered', answer };
  const text = toSpokenText(answer);
  try {
    const audio = text === '' ? undefined : await speaker.speak(text, signal);
    yield { step: 'spoken', file: audio && (await deps.files.save(audio)) };
  } catch (thrown) {
    throw withRun(thrown, run.id);
  }
}

async function submit(deps: VoiceDeps, request: VoiceRequest, transcript: string) {
  const { agentId, projectId, sessionId, idempotencyKey } = request;
  const session = sessionId === undefined ? undefined : await deps.sessions.get(sessionId);
  // What a user of a product says to an agent is not gone on with by the operator's voice.
  if (session && session.owner !== OPERATOR) throw sessionNotFound(session.id);
  const place: Place = session ?? { channel: CHANNEL, userId: OPERATOR, roomId: projectId };
  const messages: MessageDeps = { ...deps, source: CHANNEL, defaultAgentId: agentId };
  const digest = idempotencyKey === undefined ? undefined : digestOf(request);
  return submitMessage(messages, {
    ...{ place, agentId, projectId, message: transcript },
    ...defined({ sessionId, idempotencyKey, digest }),
  });
}

/** Of the recording: heard twice it may not be the same words. */
function digestOf({ audio, agentId, projectId, sessionId, voiceId }: VoiceRequest): string {
  const sound = createHash('sha256').update(audio).digest('hex');
  const body = canonicalJson({ source: CHANNEL, sound, agentId, projectId, sessionId, voiceId });
  return createHash('sha256').update(body).digest('hex');
}

/** The answer is not lost with the voice: whoever knows the run can read it. */
function withRun(thrown: unknown, runId: string): unknown {
  if (!(thrown instanceof RuntimeError)) return thrown;
  const { code, message, details, retryable } = thrown;
  return new RuntimeError(code, message, {
    cause: thrown,
    retryable,
    details: { ...details, run_id: runId },
  });
}

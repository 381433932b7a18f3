import { ERROR_CATALOGUE, type ErrorCode, RuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { isTerminal, type Run } from '../runs/run.ts';
import type { Runs } from '../runs/runs.ts';
import type { VoiceStep } from './voice-request.ts';

interface AnswerDeps {
  readonly runs: Pick<Runs, 'get' | 'tail'>;
  answerTimeoutMs(): number;
}

/** What the agent says while its run goes on, and in the end its answer. */
export async function* followAnswer(
  deps: AnswerDeps,
  runId: RunId,
  signal: AbortSignal,
): AsyncGenerator<VoiceStep, string> {
  const { runs } = deps;
  const limitMs = deps.answerTimeoutMs();
  const either = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  let said: { readonly turn: unknown; readonly attempt: unknown } | undefined;
  for await (const page of runs.tail({ runId, after: 0, idleMs: limitMs, signal: either })) {
    for (const { type, payload } of page) {
      const { turn, attempt, text } = payload;
      if (type === 'policy.decision' && payload['decision'] === 'ask') {
        await assertGoesOn(runs, runId, payload);
      }
      const isAgain =
        said?.turn === turn && (type === 'model.requested' || said?.attempt !== attempt);
      if (said && isAgain && (type === 'model.requested' || type === 'model.delta')) {
        said = undefined;
        yield { step: 'restarted' };
      }
      if (type !== 'model.delta' || typeof text !== 'string') continue;
      said = { turn, attempt };
      yield { step: 'said', text };
    }
  }
  signal.throwIfAborted();
  const run = await runs.get(runId);
  if (!isTerminal(run.status)) throw tookTooLong(run, limitMs);
  if (run.status !== 'completed') throw toFault(run);
  return run.output ?? '';
}

/** Nobody can be asked while somebody waits for a voice. The run rests until a person has answered. */
async function assertGoesOn(
  runs: AnswerDeps['runs'],
  runId: RunId,
  { approval_id: approvalId, tool }: JsonObject,
): Promise<void> {
  const { status } = await runs.get(runId);
  if (status !== 'waiting') return;
  throw new RuntimeError('approval_required', `run ${runId} waits for an approval of ${tool}`, {
    details: {
      run_id: runId,
      recovery_action: `Answer it with claw approvals approve ${approvalId}; then read the run's answer.`,
    },
  });
}

function tookTooLong({ id, status }: Run, limitMs: number): RuntimeError {
  return new RuntimeError('timeout', `run ${id} is ${status} after ${limitMs} ms`, {
    details: {
      run_id: id,
      recovery_action: 'The run goes on: read its answer later, or raise voice.answer_timeout_ms.',
    },
  });
}

function toFault({ id, status, error }: Run): RuntimeError {
  const code = error?.code ?? '';
  const isKnown = Object.hasOwn(ERROR_CATALOGUE, code);
  const message = error?.message ?? `run ${id} was ${status}`;
  const known = isKnown ? (code as ErrorCode) : 'provider_failed';
  return new RuntimeError(status === 'cancelled' ? 'cancelled' : known, message, {
    details: { run_id: id },
  });
}

import { toRuntimeError } from '../../../../core/errors.ts';
import type { ApprovalShape } from '../../../../operations/approvals/approval-shapes.ts';
import { type ApprovalWriting, listApprovals } from '../../../../operations/approvals/approvals.ts';
import type { RunEvent, RunSummary } from '../../../../operations/runs/run-shapes.ts';
import type { Way } from '../../ask/ask-runtime.ts';
import { ApprovalDesk } from '../../chat/approval-desk.ts';
import type { Via } from '../../healthy-server.ts';
import { createLineReader } from '../../line-reader.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { CliContext } from '../../program/context.ts';
import type { ErrorBlock } from '../../program/failure.ts';
import type { Stop } from '../../stop.ts';
import { describeDecision } from '../approvals/approval-question.ts';

export interface RunQuestionsOptions {
  readonly context: CliContext;
  readonly way: Pick<Way<ApprovalWriting>, 'ask' | 'via'>;
  /** Told when a question was answered here: the run has to be taken up again. */
  readonly onAnswered: () => void;
  readonly stop: Stop;
}

/** What a command does when its run needs somebody's yes. */
export interface RunQuestions {
  take(event: RunEvent): void;
  /** The question that a run was left with. */
  findOpen(run: RunSummary): Promise<ApprovalShape | undefined>;
}

/**
 * On a terminal the person is asked. In a pipe with a server it is said what to do, and waited for. Where nobody could
 * be told, or nobody would take the run up again, the command ends and leaves the run waiting.
 */
export function createRunQuestions(options: RunQuestionsOptions): RunQuestions {
  const { context, way, stop } = options;
  const { live } = context;
  const isInteractive = live.isTerminal && context.input.isTTY === true;
  const onAsked = isInteractive ? createDialogue(options) : undefined;

  return {
    take(event) {
      const asked = findQuestion(event);
      if (onAsked !== undefined) onAsked(event, asked);
      else if (asked === undefined) return;
      else if (live.isText && way.via === 'server')
        live.note(`waiting: ${describeDecision(asked)}`);
      else stop.now('approval');
    },

    async findOpen(run) {
      const query = { status: 'pending', run_id: run.id, limit: 1 } as const;
      return (await way.ask(listApprovals, { query })).approvals[0];
    },
  };
}

/** Asks, reads answers until one makes sense, and listens for answers from elsewhere. */
function createDialogue(options: RunQuestionsOptions) {
  const { context, onAnswered, stop } = options;
  const { live, parts, root } = context;
  const lines = createLineReader(context.input);
  let desk: ApprovalDesk | undefined;

  async function ask(id: string): Promise<void> {
    desk ??= new ApprovalDesk({
      askRuntime: options.way.ask,
      style: live.noteStyle,
      say: live.note,
      preview: ({ tool, arguments: input }) => parts.previewEdit({ root, tool, input }),
      onChange: () => {},
    });
    await desk.ask(id);
    while (desk.isAsking && !stop.signal.aborted) {
      live.note(`allow it? ${desk.choices}`);
      const line = await lines.next();
      // Nobody is there any more; the question stays open.
      if (line === undefined) return stop.now('approval');
      const answer = desk.parseAnswer(line);
      if (answer === undefined) continue;
      await desk.decide(answer, undefined).catch(unlessSettled);
    }
    onAnswered();
  }

  return (event: RunEvent, asked: string | undefined): void => {
    if (asked === undefined) {
      if (event.event_type !== 'policy.decision' || desk === undefined) return;
      desk.hear(event.payload);
      // Answered elsewhere, or out of time: the run waits in the queue all the same.
      onAnswered();
      return;
    }
    ask(asked).catch((thrown: unknown) => {
      live.warn(toRuntimeError(thrown).message);
      stop.now('approval');
    });
  };
}

/** Somebody else was first, and the run goes on. */
function unlessSettled(thrown: unknown): void {
  if (toRuntimeError(thrown).code !== 'conflict') throw thrown;
}

function findQuestion({ event_type: type, payload }: RunEvent): string | undefined {
  if (type !== 'policy.decision' || payload['decision'] !== 'ask') return undefined;
  return typeof payload['approval_id'] === 'string' ? payload['approval_id'] : undefined;
}

const MAX_ARGUMENT_CHARS = 200;

/** Why a command ended before its run did. */
export function toWaitingFault(
  run: RunSummary,
  approval: ApprovalShape | undefined,
  via: Via,
): ErrorBlock {
  const place = { kind: 'policy', operation: 'approve', retryable: false };
  if (approval === undefined) {
    const hint = `claw runs watch ${run.id} shows what comes of it`;
    return {
      ...place,
      target: run.id,
      message: `run ${run.id} goes on without this command`,
      hint,
    };
  }
  const { id, tool, arguments: given } = approval;
  const call = toOneLine(`${tool} ${JSON.stringify(given)}`, MAX_ARGUMENT_CHARS);
  const then =
    via === 'server'
      ? `claw runs watch ${run.id} shows what comes of it`
      : 'then the run goes on as soon as a server runs: claw serve';
  return {
    ...place,
    target: id,
    message: `run ${run.id} waits for approval ${id}: ${call}`,
    hint: `${describeDecision(id)}; ${then}`,
  };
}

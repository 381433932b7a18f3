import type { SessionId } from '../../../core/ids.ts';
import type { Run } from '../../../core/runs/run.ts';
import type { ApprovalShape } from '../../http/admin-shapes.ts';
import { AnswerPrinter } from '../answer-printer.ts';
import { awaitRunEnd } from '../await-run-end.ts';
import type { CliContext } from '../context.ts';
import { createWarn } from '../open-access.ts';
import type { Via } from '../open-runs.ts';
import { createRunQuestions } from '../run-questions.ts';
import { createStop, type StopCause } from '../stop.ts';
import { findChatPlace } from './chat-place.ts';
import { Conversation, type ConversationStart } from './conversation.ts';
import { openChat } from './open-chat.ts';

export type OneShot = AskedOnce | ToldOnce;

interface AskedOnce {
  readonly kind: 'asked';
  readonly via: Via;
  readonly run: Run;
  readonly sessionId: SessionId;
  readonly stoppedBy: StopCause | undefined;
  /** What the run waits for, when this command did not. */
  readonly approval: ApprovalShape | undefined;
  /** What is still to be printed. */
  readonly rest: string;
}

/** The message was a command of the chat, which answers by itself. */
interface ToldOnce {
  readonly kind: 'told';
  readonly via: Via;
  readonly response: string;
  readonly sessionId: SessionId | undefined;
}

/** One message of a conversation and its answer, for pipes and scripts. */
export async function chatOnce(
  context: CliContext,
  start: ConversationStart,
  message: string,
): Promise<OneShot> {
  const { live, clock, signal: interrupt } = context;
  const access = await openChat(context, createWarn(context));
  const stop = createStop({ interrupt, clock, timeoutMs: undefined });
  try {
    const conversation = new Conversation(access, findChatPlace());
    await conversation.open(start);
    const answer = await conversation.send(message);
    if (answer.kind === 'answered') return { ...answer, kind: 'told', via: access.via };
    const printer = new AnswerPrinter(live, live.isTerminal);
    const { via } = access;
    const admin = async () => access.admin;
    const questions = createRunQuestions({ context, via, admin, onAnswered: () => {}, stop });
    const ended = await awaitRunEnd({
      opened: access,
      run: await access.runs.get(answer.runId),
      stop,
      leavesWaiting: true,
      onEvent(event) {
        printer.take(event);
        questions.take(event);
      },
      onStop: () => live.note('cancelling'),
    });
    if (ended.cancelFault) throw ended.cancelFault;
    const { run, stoppedBy } = ended;
    const approval = stoppedBy === 'approval' ? await questions.findOpen(run) : undefined;
    const rest = printer.finish(run);
    return { kind: 'asked', via, run, sessionId: answer.sessionId, stoppedBy, approval, rest };
  } finally {
    stop.release();
    await access.close();
  }
}

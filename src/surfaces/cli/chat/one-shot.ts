import type { ApprovalShape } from '../../../operations/approvals/approval-shapes.ts';
import type { RunDetail } from '../../../operations/runs/run-shapes.ts';
import { awaitRunEnd } from '../commands/runs/await-run-end.ts';
import { createRunQuestions } from '../commands/runs/run-questions.ts';
import type { Via } from '../healthy-server.ts';
import { AnswerPrinter } from '../print/answer-printer.ts';
import type { CliContext } from '../program/context.ts';
import { createStop, type StopCause } from '../stop.ts';
import { findChatPlace } from './chat-place.ts';
import { Conversation, type ConversationStart } from './conversation.ts';
import { openChat } from './open-chat.ts';

export type OneShot = AskedOnce | ToldOnce;

interface AskedOnce {
  readonly kind: 'asked';
  readonly via: Via;
  readonly run: RunDetail;
  readonly sessionId: string;
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
  readonly sessionId: string | undefined;
}

/** One message of a conversation and its answer, for pipes and scripts. */
export async function chatOnce(
  context: CliContext,
  start: ConversationStart,
  message: string,
): Promise<OneShot> {
  const { live, clock, signal: interrupt } = context;
  const access = await openChat(context, live.warn);
  const stop = createStop({ interrupt, clock, timeoutMs: undefined });
  try {
    const conversation = new Conversation(access, findChatPlace());
    await conversation.open(start);
    const answer = await conversation.send(message);
    const { via } = access;
    const { session_id: sessionId } = answer;
    if ('response' in answer) return { kind: 'told', via, response: answer.response, sessionId };
    const printer = new AnswerPrinter(live, live.isTerminal);
    const questions = createRunQuestions({ context, way: access, onAnswered: () => {}, stop });
    const ended = await awaitRunEnd({
      way: access,
      runId: answer.id,
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
    return { kind: 'asked', via, run, sessionId: answer.session_id, stoppedBy, approval, rest };
  } finally {
    stop.release();
    await access.close();
  }
}

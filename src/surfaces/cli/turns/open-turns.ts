import type { AgentId, SessionId } from '../../../core/ids.ts';
import {
  beginningOf,
  MAX_TOLD_MESSAGES,
  type ToldMessage,
} from '../../../core/sessions/continue-session.ts';
import type { RunWriting } from '../../../operations/runs/runs.ts';
import { openSession, type SessionWriting } from '../../../operations/sessions/sessions.ts';
import { toRunWriting } from '../ask/ask-runs.ts';
import { openWay, type Way } from '../ask/ask-runtime.ts';
import { fromRuntime } from '../ask/place.ts';
import type { CliContext } from '../program/context.ts';

type TurnDeps = RunWriting & SessionWriting;

/** Where turns are taken: through the running server, else in this process. */
export type TurnWay = Way<TurnDeps>;

const HERE = fromRuntime((local): TurnDeps => {
  const { sessions, agents } = local;
  return { ...toRunWriting(local), sessions, agents };
});

export function openTurns(context: CliContext): Promise<TurnWay> {
  return openWay(context, HERE);
}

interface SessionRequest {
  readonly agentId: AgentId;
  readonly transcriptId: string;
  readonly told: readonly ToldMessage[];
}

/** The conversations of transcripts are told apart by their rooms. */
const CHANNEL = 'cli';
const USER = 'transcript';

/** Of a long conversation: a server takes a megabyte by default, and a context shows far less. */
const MAX_SENT_CHARS = 100_000;

/** The session of a transcript, which knows what the transcript says and nothing else. */
export async function openTurnSession(
  { ask }: Pick<TurnWay, 'ask'>,
  { agentId, transcriptId, told }: SessionRequest,
): Promise<SessionId> {
  const place = { agent_id: agentId, channel: CHANNEL, user_id: USER, room_id: transcriptId };
  const opened = await ask(openSession, { body: { ...place, messages: newestOf(told) } });
  return opened.session_id as SessionId;
}

function newestOf(told: readonly ToldMessage[]): ToldMessage[] {
  const newest: ToldMessage[] = [];
  let chars = 0;
  for (const { role, content } of told.slice(-MAX_TOLD_MESSAGES).toReversed()) {
    const beginning = beginningOf(content);
    chars += beginning.length;
    if (chars > MAX_SENT_CHARS) break;
    newest.unshift({ role, content: beginning });
  }
  return newest;
}

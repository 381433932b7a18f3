import type { AgentId, SessionId } from '../../../core/ids.ts';
import {
  beginningOf,
  continueSession,
  MAX_TOLD_MESSAGES,
  type ToldMessage,
} from '../../../core/sessions/continue-session.ts';
import type { CliContext } from '../context.ts';
import { createWarn } from '../open-access.ts';
import { findHealthyServer, IDLE_MS, type OpenRuns } from '../open-runs.ts';
import { createRemoteRuns } from '../remote/remote-runs.ts';

/** Where turns are taken: through the running server, else in this process. */
export interface OpenTurns extends OpenRuns {
  /** The session of a transcript, which knows what the transcript says and nothing else. */
  openSession(request: SessionRequest): Promise<SessionId>;
}

export interface SessionRequest {
  readonly agentId: AgentId;
  readonly transcriptId: string;
  readonly told: readonly ToldMessage[];
}

/** The conversations of transcripts are told apart by their rooms. */
const CHANNEL = 'cli';
const USER = 'transcript';

/** Of a long conversation: a server takes a megabyte by default, and a context shows far less. */
const MAX_SENT_CHARS = 100_000;

export async function openTurns(context: CliContext): Promise<OpenTurns> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server === undefined) return openLocalTurns(context);
  const link = { server, locate, clock: context.clock };
  return {
    via: 'server',
    runs: createRemoteRuns(link),
    idleMs: IDLE_MS,
    async openSession(request) {
      const { openRemoteSession } = await import('./open-remote-session.ts');
      return openRemoteSession(link, toPlaceAndTold(request));
    },
    close: async () => {},
  };
}

async function openLocalTurns(context: CliContext): Promise<OpenTurns> {
  const { parts, root } = context;
  const local = await parts.openLocal({ root, warn: createWarn(context) });
  return {
    via: 'local',
    runs: local.runs,
    idleMs: IDLE_MS,
    openSession: async (request) => (await continueSession(local, toPlaceAndTold(request))).id,
    close: () => local.close(),
  };
}

function toPlaceAndTold({ agentId, transcriptId, told }: SessionRequest) {
  const place = { agentId, channel: CHANNEL, userId: USER, roomId: transcriptId };
  return { place, told: newestOf(told) };
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

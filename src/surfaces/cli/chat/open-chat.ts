import type { AgentWriting } from '../../../operations/agents/agents.ts';
import type { ChatWriting } from '../../../operations/chat/chat.ts';
import type { RunWriting } from '../../../operations/runs/runs.ts';
import type { SessionWriting } from '../../../operations/sessions/sessions.ts';
import { toRunWriting } from '../ask/ask-runs.ts';
import { openWay, type Way } from '../ask/ask-runtime.ts';
import { fromRuntime } from '../ask/place.ts';
import type { AdminServices, CliContext, LocalRuntime } from '../program/context.ts';

/** What a chat asks operations of. */
type ChatDeps = AgentWriting &
  SessionWriting &
  RunWriting &
  ChatWriting &
  AdminServices & { readonly local: LocalRuntime };

/** What a chat needs of the runtime. It can't tell a server from its own process. */
export type ChatAccess = Way<ChatDeps> & {
  /** `provider/name` that agents get which name none. */
  describeModel(): Promise<string>;
};

/** Through the running server, else in this process, which then takes runs from the queue as a server would. */
export async function openChat(
  context: CliContext,
  warn: (message: string) => void,
): Promise<ChatAccess> {
  // Answered questions and messages that waited for a run come back through the queue.
  const here = fromRuntime(toChatDeps, { warn, takesQueue: true });
  const way = await openWay(context, here);
  return { ...way, describeModel: () => describeModel(way) };
}

function toChatDeps(local: LocalRuntime): ChatDeps {
  const { agents, sessions, chat } = local;
  return { ...toRunWriting(local), ...local.admin, agents, sessions, chat, local };
}

async function describeModel(way: Way<ChatDeps>): Promise<string> {
  if (way.via === 'local') return way.here.local.describeModel();
  const { readRemoteStatus } = await import('../remote/remote-status.ts');
  const { model } = await readRemoteStatus(way.server);
  return `${model.provider}/${model.name}`;
}

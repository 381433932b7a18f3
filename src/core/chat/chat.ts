import type { AgentDirectory } from '../agents/resolve-agent.ts';
import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { Runs } from '../runs/runs.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { answerCommand } from './answer-command.ts';
import { type ChatReply, type ChatRequest, MAX_MESSAGE_CHARS } from './chat-request.ts';
import { assertAllowed, type ChatRules } from './chat-rules.ts';
import { createMessageRate } from './message-rate.ts';
import { parseCommand } from './parse-command.ts';
import { submitMessage } from './submit-message.ts';

/** Conversations by message: each one either answers at once, as a command, or becomes a run of a session. */
export interface Chat {
  /**
   * Throws before anything is stored: `not_found` while chat is switched off, `policy_denied` for a user or room that
   * is not allowed, `rate_limited`, `payload_too_large`.
   */
  send(request: ChatRequest): Promise<ChatReply>;
}

export interface ChatSettings extends ChatRules {
  readonly defaultAgentId: string;
}

export interface ChatDeps {
  readonly runs: Pick<Runs, 'submit'>;
  readonly sessions: Sessions;
  readonly agents: AgentDirectory;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Asked at every message: the configuration may change while the server runs. */
  settings(): ChatSettings;
}

export function createChat(deps: ChatDeps): Chat {
  const rate = createMessageRate(() => deps.clock.nowMs());

  return {
    async send(request) {
      const settings = deps.settings();
      assertAllowed(settings, request.place);
      if (request.message.length > MAX_MESSAGE_CHARS) {
        throw new RuntimeError(
          'payload_too_large',
          `message must be at most ${MAX_MESSAGE_CHARS} characters`,
        );
      }
      rate.take(request.place, settings);
      const command = parseCommand(request.message);
      const ground = { ...deps, defaultAgentId: settings.defaultAgentId };
      return command ? answerCommand(ground, request, command) : submitMessage(ground, request);
    },
  };
}

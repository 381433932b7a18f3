import * as z from 'zod';
import { toIso } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import { visibleTo } from '../../core/principal.ts';
import type { Session } from '../../core/sessions/session.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const LIMIT_MESSAGE = `limit must be a whole number from 1 to ${MAX_LIMIT}`;

const input = z.strictObject({
  limit: z
    .int({ error: LIMIT_MESSAGE })
    .min(1, LIMIT_MESSAGE)
    .max(MAX_LIMIT, LIMIT_MESSAGE)
    .describe(`The most sessions to return; ${DEFAULT_LIMIT} when left out.`)
    .optional(),
  include_closed: z
    .boolean({ error: 'include_closed must be true or false' })
    .describe('Also those that are closed.')
    .optional(),
});

interface SessionListing {
  /** Last updated first. */
  readonly sessions: readonly JsonObject[];
  readonly truncated: boolean;
}

export function createSessionList(sessions: Pick<Sessions, 'list'>): Tool {
  return defineTool<z.infer<typeof input>, SessionListing>({
    name: 'session.list',
    description: 'List your own conversations, last updated first.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/sessions/session-list.ts',
    input,
    summarize: (_, output) => `listed ${output.sessions.length} session(s)`,

    async execute({ limit = DEFAULT_LIMIT, include_closed = false }, { agentId, principal }) {
      const own = { agentId, ...visibleTo(principal) };
      const page = await sessions.list({ ...own, includeClosed: include_closed, limit });
      return { sessions: page.sessions.map(describeSession), truncated: page.next !== undefined };
    },
  });
}

function describeSession(session: Session): JsonObject {
  return {
    session_id: session.id,
    title: session.title,
    channel: session.channel,
    user_id: session.userId,
    room_id: session.roomId,
    messages: session.messageCount,
    created_at: toIso(session.createdAtMs),
    updated_at: toIso(session.updatedAtMs),
    closed_at: session.closedAtMs === undefined ? null : toIso(session.closedAtMs),
  };
}

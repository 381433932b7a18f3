import * as z from 'zod';
import { SESSION_ID_PATTERN } from '../../core/ids.ts';
import { maySee } from '../../core/principal.ts';
import { sessionNotFound } from '../../core/sessions/session-not-found.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { adoptAlias } from '../files/repair-arguments.ts';

const input = z.strictObject({
  session_id: z
    .string({
      error: (issue) =>
        issue.input === undefined ? 'session_id is required' : 'session_id must be a string',
    })
    .trim()
    .regex(SESSION_ID_PATTERN, 'session_id must have 1 to 128 letters, digits, _ or -')
    .describe('The session to close, as session.list names it.'),
});

interface Closed {
  readonly session_id: string;
  readonly closed: true;
  readonly already_closed: boolean;
  readonly summary: string;
}

export function createSessionClose(sessions: Pick<Sessions, 'get' | 'close'>): Tool {
  return defineTool<z.infer<typeof input>, Closed>({
    name: 'session.close',
    description:
      'Close one of your own conversations: it takes no new messages, and what was said in it stays. A run that is ' +
      'under way in it goes on to its end.',
    effect: 'write',
    idempotent: true,
    serves: 'everyone',
    source: 'src/toolbox/sessions/session-close.ts',
    input,
    repair: (raw) => adoptAlias(raw, 'session_id', ['id', 'session', 'sessionId']),
    summarize: (_, { summary }) => summary,

    async execute({ session_id }, { agentId, principal }) {
      const session = await sessions.get(session_id);
      // Somebody else's session is none of the caller's business, not even that it is there.
      const isOwn = session.agentId === agentId && maySee(principal, session.owner);
      if (!isOwn) throw sessionNotFound(session_id);
      const { alreadyClosed } = await sessions.close(session_id);
      const summary = alreadyClosed
        ? `session ${session_id} was closed already`
        : `closed session ${session_id}`;
      return { session_id, closed: true, already_closed: alreadyClosed, summary };
    },
  });
}

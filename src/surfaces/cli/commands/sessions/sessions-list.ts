import { listSessions } from '../../../../operations/sessions/sessions.ts';
import { parseAgentArgument } from '../../admin-arguments.ts';
import { askSessions } from '../../ask/ask-sessions.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatDate, formatTable, moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';

const MAX_LIMIT = 500;

export const sessionsList = defineCommand({
  usage:
    '[--agent ID] [--channel NAME] [--user ID] [--room ID] [--include-closed] [--limit N] [--cursor C]',
  description:
    'Conversations of agents, wherever they take place, last updated first. Asks the running server, else reads the\n' +
    'database.',
  args: { min: 0, max: 0 },
  options: {
    agent: { kind: 'text', value: 'ID', summary: 'only those of this agent' },
    channel: { kind: 'text', value: 'NAME', summary: 'only those of this channel' },
    user: { kind: 'text', value: 'ID', summary: 'only those of this user' },
    room: { kind: 'text', value: 'ID', summary: 'only those in this room' },
    'include-closed': { kind: 'flag', summary: 'also those that were closed' },
    ...pageOptions(MAX_LIMIT),
  },
  examples: [
    'claw sessions list --agent agent_default',
    'claw sessions list --user ana --include-closed --output-format json',
  ],
  async run({ options }, context) {
    const { agent, channel, user, room, cursor, limit = DEFAULT_LIMIT } = options;
    const query = {
      agent_id: agent === undefined ? undefined : parseAgentArgument(agent, 'sessions list'),
      channel,
      user_id: user,
      room_id: room,
      include_closed: options['include-closed'] ? ('true' as const) : undefined,
      limit,
      cursor,
    };
    return askSessions(context, listSessions, { query });
  },
  fields: ({ via, answer: { sessions, next_cursor } }) => ({
    sessions_count: sessions.length,
    sessions,
    next_cursor,
    via,
  }),
  text({ answer: { sessions, next_cursor: next } }, style) {
    if (sessions.length === 0) return '(no sessions)';
    const rows = sessions.map((session) => [
      session.session_id,
      formatDate(session.updated_at),
      session.agent_id,
      toOneLine(`${session.channel}/${session.user_id}/${session.room_id}`, 60),
      String(session.message_count),
      `${session.closed_at === null ? '' : '(closed) '}${toOneLine(session.title, 60)}`,
    ]);
    return [formatTable(rows), ...moreLine(next, style)].join('\n');
  },
});

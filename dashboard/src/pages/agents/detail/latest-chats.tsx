import { Link } from 'wouter';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { listSessions } from '../../../../../src/operations/sessions/sessions.ts';
import { useRead } from '../../../api/use-operation.ts';
import { formatCount } from '../../../kit/format.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Section } from '../../../kit/page.tsx';
import { Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';

const SHOWN_CHATS = 5;

export function LatestChats({ agent: { agent_id, name } }: { readonly agent: AgentShape }) {
  const chats = useRead(listSessions, { query: { agent_id, limit: SHOWN_CHATS } });
  return (
    <Section title="Latest chats">
      <Loaded query={chats} rows={2}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p className="text-muted">Nobody has talked to it yet.</p>
          ) : (
            <Table
              label={`Latest chats with ${name}`}
              rows={sessions}
              keyOf={({ session_id }) => session_id}
              columns={[
                {
                  label: 'Chat',
                  cell: ({ session_id, title }) => (
                    <Link
                      href={`/chat/${session_id}`}
                      className="line-clamp-2 break-words text-accent-ink hover:underline"
                    >
                      {title === '' ? 'without a name' : title}
                    </Link>
                  ),
                },
                {
                  label: 'Messages',
                  cell: ({ message_count }) => formatCount(message_count),
                  align: 'right',
                },
                { label: 'Last said', cell: ({ updated_at }) => <Time at={updated_at} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

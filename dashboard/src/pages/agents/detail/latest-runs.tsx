import { Link } from 'wouter';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { listRuns } from '../../../../../src/operations/runs/runs.ts';
import { useRead } from '../../../api/use-operation.ts';
import { formatDuration, formatMoney } from '../../../kit/format.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Section } from '../../../kit/page.tsx';
import { RunBadge } from '../../../kit/state-badge.tsx';
import { Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';

const SHOWN_RUNS = 5;

export function LatestRuns({ agent: { agent_id, name } }: { readonly agent: AgentShape }) {
  const runs = useRead(listRuns, { query: { agent_id, limit: SHOWN_RUNS } });
  return (
    <Section title="Latest runs">
      <Loaded query={runs} rows={2}>
        {({ runs: latest }) =>
          latest.length === 0 ? (
            <p className="text-muted">None yet. Talk to it, or give it a job under Schedule.</p>
          ) : (
            <Table
              label={`Latest runs of ${name}`}
              rows={latest}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: 'Asked',
                  cell: ({ id, message }) => (
                    <Link
                      href={`/runs/${id}`}
                      className="line-clamp-2 break-words text-accent-ink hover:underline"
                    >
                      {message}
                    </Link>
                  ),
                },
                { label: 'State', cell: ({ status }) => <RunBadge status={status} /> },
                { label: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
                {
                  label: 'Took',
                  cell: ({ duration_ms }) => formatDuration(duration_ms),
                  align: 'right',
                  isExtra: true,
                },
                {
                  label: 'Cost',
                  cell: ({ usage }) => formatMoney(usage.cost_usd),
                  align: 'right',
                  isExtra: true,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

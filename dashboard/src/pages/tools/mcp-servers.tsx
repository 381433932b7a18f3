import { Plug } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { listMcpServers } from '../../../../src/operations/mcp/mcp.ts';
import type { McpServerShape } from '../../../../src/operations/mcp/mcp-shapes.ts';
import { useRead } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Id } from '../../kit/copy.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Card } from '../../kit/page.tsx';
import { type State, StateBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { ToolReview } from './tool-review.tsx';

const STATES: Readonly<Record<McpServerShape['state'], State>> = {
  connecting: 'busy',
  ready: 'ok',
  waiting: 'wait',
  invalid: 'bad',
  disabled: 'off',
  closed: 'off',
};

export function McpServers() {
  const servers = useRead(listMcpServers, {}, { everyMs: 5_000 });
  return (
    <Loaded query={servers}>
      {({ servers: all }) =>
        all.length === 0 ? (
          <Empty icon={Plug} title="No MCP server is connected">
            Add one under{' '}
            <Link href="/settings?q=mcpServers" className="underline underline-offset-2">
              mcpServers
            </Link>{' '}
            in the settings. What it offers is listed here, and what it changes later waits here
            until you have looked at it.
          </Empty>
        ) : (
          <div className="space-y-4">
            {all.map((server) => (
              <Server key={server.name} server={server} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function Server({ server }: { readonly server: McpServerShape }) {
  const { name, state, transport, server_info, last_error, next_retry_at, tools, rejected_tools } =
    server;
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 className="text-lg font-semibold">{name}</h2>
        <StateBadge state={STATES[state]}>{state}</StateBadge>
        <span className="text-sm text-muted">
          {[transport, server_info === null ? null : `${server_info.name} ${server_info.version}`]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      {last_error === null ? null : (
        <p className="mb-2 text-sm break-words text-bad">
          {`${last_error.phase}: ${last_error.message}`} (<Time at={last_error.at} />)
          {next_retry_at === null ? null : (
            <>
              , tried again <Time at={next_retry_at} />
            </>
          )}
        </p>
      )}
      <ul className="divide-y divide-line">
        {tools.map((tool) => (
          <ServerTool key={tool.name} server={name} tool={tool} />
        ))}
        {rejected_tools.map(({ name: rejected, reason }) => (
          <li key={rejected} className="py-2 text-sm text-muted">
            {`${rejected} can't be used: ${reason}`}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ServerToolProps {
  readonly server: string;
  readonly tool: McpServerShape['tools'][number];
}

const TOOL_STATES = { approved: 'ok', pending: 'wait', changed: 'bad' } as const;

function ServerTool({ server, tool: { name, tool, status, hash } }: ServerToolProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <span className="font-medium break-all">{name}</span>
        <span className="ml-2 text-sm text-muted">
          <Id value={hash} chars={10} />
        </span>
      </div>
      <StateBadge state={TOOL_STATES[status]}>{status}</StateBadge>
      <Button
        size="small"
        aria-label={`${status === 'approved' ? 'Look at' : 'Review'} ${name}`}
        onClick={() => setIsOpen(true)}
      >
        {status === 'approved' ? 'Look' : 'Review'}
      </Button>
      {isOpen ? (
        <ToolReview name={name} server={server} tool={tool} onClose={() => setIsOpen(false)} />
      ) : null}
    </li>
  );
}

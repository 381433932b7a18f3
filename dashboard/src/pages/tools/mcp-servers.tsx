import { Plug } from 'lucide-react';
import { approveMcpTool, listMcpServers } from '../../../../src/operations/mcp/mcp.ts';
import type { McpServerShape } from '../../../../src/operations/mcp/mcp-shapes.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Id } from '../../kit/copy.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Card } from '../../kit/page.tsx';
import { type State, StateBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';

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
            Add one under <code>mcp.servers</code> in the settings; what it offers waits here until
            you have looked at it.
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

/** What was looked at is what is approved: a server that changes its words afterwards has to be looked at again. */
function ServerTool({ server, tool: { name, tool, status, hash } }: ServerToolProps) {
  const approve = useWrite(approveMcpTool, {
    changes: ['tools'],
    onDone: () => toast(`${name} can be used.`),
  });
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <span className="font-medium break-all">{name}</span>
        <span className="ml-2 text-sm text-muted">
          <Id value={hash} chars={10} />
        </span>
      </div>
      <StateBadge state={TOOL_STATES[status]}>{status}</StateBadge>
      {status === 'approved' ? null : (
        <Button
          size="small"
          isBusy={approve.isPending}
          onClick={() =>
            approve.mutate({ params: { server, tool }, body: { hash } }, { onError: toastError })
          }
        >
          Approve
        </Button>
      )}
    </li>
  );
}

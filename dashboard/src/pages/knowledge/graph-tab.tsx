import { Share2 } from 'lucide-react';
import { useMemo } from 'react';
import { readGraph } from '../../../../src/operations/knowledge/knowledge.ts';
import type { GraphShape } from '../../../../src/operations/knowledge/knowledge-shapes.ts';
import { useRead } from '../../api/use-operation.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Empty } from '../../kit/empty.tsx';
import { formatCount } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { GraphCanvas } from './graph/graph-canvas.tsx';
import { prepareGraph } from './graph/prepare-graph.ts';
import { GraphAside } from './graph-aside.tsx';
import { KindFilter } from './kind-filter.tsx';
import type { KnowledgeAddress } from './knowledge-address.ts';

interface GraphTabProps {
  readonly address: KnowledgeAddress;
  readonly project: string;
}

/** As many as the server gives. */
const MAX_NODES = 20_000;
/** No event tells that something was learned. */
const REFRESH_MS = 20_000;

export function GraphTab({ address, project }: GraphTabProps) {
  const { as } = address;
  const query = useRead(
    readGraph,
    {
      query: { project_id: project, limit: MAX_NODES, ...(as === '' ? {} : { agent_id: as }) },
      headers: {},
    },
    { everyMs: REFRESH_MS },
  );
  return (
    <Loaded query={query} rows={8}>
      {(data) =>
        data.nodes.length === 0 ? (
          <NothingLearned project={project} />
        ) : (
          <Explorer address={address} project={project} data={data} />
        )
      }
    </Loaded>
  );
}

function Explorer({ address, project, data }: GraphTabProps & { readonly data: GraphShape }) {
  const hide = [...address.hidden].join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the set is made anew each time, its names are not
  const graph = useMemo(() => prepareGraph(data, address.hidden), [data, hide]);
  const { node } = address;
  const select = (id: string | undefined) => address.change({ node: id, find: '' }, true);
  return (
    <>
      <KindFilter
        data={data}
        hidden={address.hidden}
        onChange={(kinds) => address.change({ hide: kinds.join(',') })}
      />
      {data.truncated ? (
        <p className="mb-2 text-sm text-muted">
          The newest {formatCount(data.nodes.length)} nodes; there is more in this project.
        </p>
      ) : null}
      <div className="grid gap-4 lg:h-[max(28rem,calc(100dvh-17rem))] lg:grid-cols-[minmax(0,1fr)_22rem]">
        <GraphCanvas graph={graph} selected={node} onSelect={select} />
        <GraphAside
          graph={graph}
          selected={node}
          onSelect={select}
          find={address.find}
          onFind={(find) => address.change({ find })}
          project={project}
          reader={address.as}
        />
      </div>
    </>
  );
}

function NothingLearned({ project }: { readonly project: string }) {
  return (
    <Empty icon={Share2} title={`Nothing was learned in ${project} yet`}>
      <p>
        The graph is made of facts, hand-offs and memories. Let agents work in this project, or put
        a first fact on record.
      </p>
      <LinkButton to={`/knowledge/facts?project=${encodeURIComponent(project)}`} kind="primary">
        Add a fact
      </LinkButton>
    </Empty>
  );
}

import { ArrowLeft, ArrowRight, X } from 'lucide-react';
import { Link } from 'wouter';
import { IconButton } from '../../kit/button.tsx';
import { Card } from '../../kit/page.tsx';
import { KindMark } from './graph/kind-mark.tsx';
import { KINDS } from './graph/kinds.ts';
import { neighboursOf, type PreparedGraph, type PreparedNode } from './graph/prepare-graph.ts';
import { NodeFacts } from './node-facts.tsx';

interface NodePanelProps {
  readonly graph: PreparedGraph;
  readonly at: number;
  readonly onSelect: (id: string | undefined) => void;
  readonly project: string;
  readonly reader: string;
}

/** A hub has thousands: the rest is found by its name. */
const MOST_NEIGHBOURS = 200;

/** What is known of one node. */
export function NodePanel({ graph, at, onSelect, project, reader }: NodePanelProps) {
  const node = graph.nodes[at];
  if (node === undefined) return null;
  const neighbours = neighboursOf(graph, at);
  return (
    <Card className="min-h-0 overflow-y-auto p-3">
      <div className="mb-2 flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-1.5 text-xs text-muted">
            <KindMark kind={node.kind} /> {KINDS[node.kind].one}
          </div>
          <h2 className="text-base font-semibold break-words">{node.label}</h2>
          <Whereabouts node={node} />
        </div>
        <IconButton
          label="Back to all nodes"
          icon={X}
          size="smallIcon"
          onClick={() => onSelect(undefined)}
        />
      </div>
      {node.kind === 'entity' ? (
        <NodeFacts term={node.id.slice('entity:'.length)} project={project} reader={reader} />
      ) : null}
      <h3 className="mt-4 mb-1 text-sm font-semibold">
        {neighbours.length === 1 ? '1 neighbour' : `${neighbours.length} neighbours`}
      </h3>
      <ul className="-mx-1">
        {neighbours.slice(0, MOST_NEIGHBOURS).map(({ at: other, relation, isOutward }) => {
          const near = graph.nodes[other];
          if (near === undefined) return null;
          const Arrow = isOutward ? ArrowRight : ArrowLeft;
          return (
            <li key={`${near.id} ${relation} ${isOutward}`}>
              <button
                type="button"
                onClick={() => onSelect(near.id)}
                className="flex w-full items-center gap-2 rounded px-1 py-1 text-left text-sm hover:bg-sunken"
              >
                <Arrow
                  role="img"
                  aria-label={isOutward ? 'to' : 'from'}
                  className="size-3.5 shrink-0 text-muted"
                />
                <span className="max-w-28 shrink-0 truncate text-xs text-muted">{relation}</span>
                <KindMark kind={near.kind} />
                <span className="min-w-0 truncate">{near.label}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {neighbours.length > MOST_NEIGHBOURS ? (
        <p className="text-xs text-muted">The first {MOST_NEIGHBOURS} by name.</p>
      ) : null}
    </Card>
  );
}

const PLACES: Readonly<Partial<Record<PreparedNode['kind'], readonly [string, string]>>> = {
  agent: ['/agents/', 'Open the agent'],
  memory: ['/memory/', 'Open the memory'],
  tag: ['/memory?tag=', 'Memories with this tag'],
};

function Whereabouts({ node: { id, kind, label } }: { readonly node: PreparedNode }) {
  const place = PLACES[kind];
  if (place === undefined) return null;
  const [path, text] = place;
  const name = kind === 'tag' ? label : id.slice(id.indexOf(':') + 1);
  return (
    <Link
      href={path + encodeURIComponent(name)}
      className="text-sm text-accent-ink underline underline-offset-2"
    >
      {text}
    </Link>
  );
}

import { Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { toTerm } from '../../../../src/core/knowledge/fact-term.ts';
import type { FactShape } from '../../../../src/operations/knowledge/knowledge-shapes.ts';
import { IconButton } from '../../kit/button.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';

interface FactRowProps {
  readonly fact: FactShape;
  readonly nameOf: (agentId: string) => string;
  readonly onRemove: () => void;
}

export function FactRow({ fact, nameOf, onRemove }: FactRowProps) {
  const { project_id: project, subject, relation, object, valid_to: until } = fact;
  return (
    <article className="flex items-start gap-2 border-b border-line px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <Thing project={project} name={subject} /> <span className="text-muted">{relation}</span>{' '}
          <Thing project={project} name={object} />
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-muted">
          <span>said by {fact.agent_id === null ? fact.source : nameOf(fact.agent_id)}</span>
          <span>
            since <Time at={fact.valid_from} />
          </span>
          {until === null ? null : (
            <span>
              until <Time at={until} />
            </span>
          )}
          {fact.private ? <StateBadge state="off">seen by its agent alone</StateBadge> : null}
        </p>
      </div>
      <IconButton
        label={`Delete: ${subject} ${relation} ${object}`}
        icon={Trash2}
        size="smallIcon"
        onClick={onRemove}
      />
    </article>
  );
}

/** Leads to its place in the graph. */
function Thing({ project, name }: { readonly project: string; readonly name: string }) {
  const search = new URLSearchParams({ project, node: `entity:${toTerm(name)}` });
  return (
    <Link
      href={`/knowledge/graph?${search}`}
      className="font-medium underline decoration-line-strong/40 underline-offset-2 hover:text-accent-ink"
    >
      {name}
    </Link>
  );
}

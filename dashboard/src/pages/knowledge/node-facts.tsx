import { listFacts } from '../../../../src/operations/knowledge/knowledge.ts';
import type { FactShape } from '../../../../src/operations/knowledge/knowledge-shapes.ts';
import { useRead } from '../../api/use-operation.ts';
import { useAgentName } from '../../kit/agent-select.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Time } from '../../kit/time.tsx';

interface NodeFactsProps {
  /** As facts are compared: the name without what case and blanks say. */
  readonly term: string;
  readonly project: string;
  readonly reader: string;
}

const MOST_FACTS = 50;
/** A subject has at most as many characters; a longer name is only ever an object. */
const MAX_SUBJECT_CHARS = 200;

/** What is said of a thing, and what is said with it. */
export function NodeFacts({ term, project, reader }: NodeFactsProps) {
  const common = {
    project_id: project,
    limit: MOST_FACTS,
    ...(reader === '' ? {} : { agent_id: reader }),
  };
  const canBeSubject = term.length <= MAX_SUBJECT_CHARS;
  const about = useRead(
    listFacts,
    { query: { ...common, subject: term }, headers: {} },
    { isEnabled: canBeSubject },
  );
  const withIt = useRead(listFacts, { query: { ...common, object: term }, headers: {} });
  return (
    <>
      <h3 className="mt-3 mb-1 text-sm font-semibold">Facts</h3>
      {canBeSubject ? (
        <Loaded query={about}>{({ facts }) => <FactLines facts={facts} />}</Loaded>
      ) : null}
      <Loaded query={withIt} rows={1}>
        {({ facts }) => <FactLines facts={facts} />}
      </Loaded>
    </>
  );
}

function FactLines({ facts }: { readonly facts: readonly FactShape[] }) {
  const nameOf = useAgentName();
  return (
    <ul className="space-y-2 text-sm not-empty:mb-2">
      {facts.map(({ fact_id, subject, relation, object, source, agent_id, valid_from }) => (
        <li key={fact_id} className="break-words">
          {subject} <span className="text-muted">{relation}</span> {object}
          <div className="text-xs text-muted">
            {agent_id === null ? source : nameOf(agent_id)}, since <Time at={valid_from} />
          </div>
        </li>
      ))}
    </ul>
  );
}

import { classNames } from '../../kit/class-names.ts';
import { SearchInput } from '../../kit/fields.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { KindMark } from './graph/kind-mark.tsx';
import { KINDS } from './graph/kinds.ts';
import { findNodes, type PreparedGraph, type PreparedNode } from './graph/prepare-graph.ts';
import { NodePanel } from './node-panel.tsx';

interface GraphAsideProps {
  readonly graph: PreparedGraph;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
  readonly find: string;
  readonly onFind: (text: string) => void;
  readonly project: string;
  readonly reader: string;
}

const ROW_PX = 33;

/** All nodes by name, or what is known of the selected one. */
export function GraphAside(props: GraphAsideProps) {
  const { graph, selected, onSelect, find, onFind } = props;
  const [text, setText] = useTyped(find, onFind);
  const at = selected === undefined ? undefined : graph.indexOf.get(selected);
  const found = findNodes(graph, text);
  const choose = (id: string | undefined) => {
    setText('');
    onSelect(id);
  };
  return (
    <aside aria-label="Nodes" className="flex min-h-0 min-w-0 flex-col gap-2">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) choose(found[0].id);
        }}
        className="[&>input]:max-w-none"
      >
        <SearchInput label="Find a node" value={text} onChange={setText} />
      </form>
      {at !== undefined && text === '' ? (
        <NodePanel {...props} at={at} onSelect={choose} />
      ) : (
        <NodeList nodes={found} selected={selected} onSelect={choose} />
      )}
    </aside>
  );
}

interface NodeListProps {
  readonly nodes: readonly PreparedNode[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

function NodeList({ nodes, selected, onSelect }: NodeListProps) {
  if (nodes.length === 0) return <p className="py-4 text-sm text-muted">No node has that name.</p>;
  return (
    <VirtualList
      label="All nodes"
      items={nodes}
      keyOf={({ id }) => id}
      rowHeight={ROW_PX}
      className="max-h-96 lg:max-h-none lg:min-h-0"
    >
      {({ id, label, kind, degree }) => (
        <button
          type="button"
          aria-pressed={id === selected}
          onClick={() => onSelect(id)}
          className={classNames(
            'flex w-full items-center gap-2 px-3 py-1.5 text-left text-sm -outline-offset-2',
            id === selected ? 'bg-accent-soft' : 'hover:bg-sunken/60',
          )}
        >
          <KindMark kind={kind} />
          <span className="sr-only">{KINDS[kind].one}</span>
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <span title={`${degree} edges`} className="text-xs text-muted tabular-nums">
            {degree}
          </span>
        </button>
      )}
    </VirtualList>
  );
}

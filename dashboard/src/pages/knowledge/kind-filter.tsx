import type { GraphShape } from '../../../../src/operations/knowledge/knowledge-shapes.ts';
import { classNames } from '../../kit/class-names.ts';
import { formatCount } from '../../kit/format.ts';
import { KindMark } from './graph/kind-mark.tsx';
import { KIND_NAMES, KINDS, type NodeKind } from './graph/kinds.ts';

interface KindFilterProps {
  readonly data: GraphShape;
  readonly hidden: ReadonlySet<NodeKind>;
  readonly onChange: (hidden: readonly NodeKind[]) => void;
}

/** The legend, and what to leave out. */
export function KindFilter({ data, hidden, onChange }: KindFilterProps) {
  const present = KIND_NAMES.map((kind) => ({
    kind,
    count: data.nodes.filter(({ type }) => type === kind).length,
  })).filter(({ count }) => count > 0);
  const toggle = (kind: NodeKind) =>
    onChange(hidden.has(kind) ? [...hidden].filter((one) => one !== kind) : [...hidden, kind]);
  return (
    <fieldset className="mb-3 flex flex-wrap gap-1.5">
      <legend className="sr-only">Kinds of nodes that are shown</legend>
      {present.map(({ kind, count }) => {
        const isShown = !hidden.has(kind);
        return (
          <button
            key={kind}
            type="button"
            aria-pressed={isShown}
            onClick={() => toggle(kind)}
            className={classNames(
              'inline-flex items-center gap-1.5 rounded-full border px-2.5 py-1 text-sm',
              isShown ? 'border-line-strong/60 bg-surface' : 'border-line text-muted line-through',
            )}
          >
            <KindMark kind={kind} />
            {KINDS[kind].many}
            <span className="text-muted tabular-nums">{formatCount(count)}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

import { KINDS, type NodeKind } from './kinds.ts';

/** The shape and colour that a kind has on the canvas. */
export function KindMark({ kind }: { readonly kind: NodeKind }) {
  const { corners, ink } = KINDS[kind];
  const style = { fill: `var(${ink})` };
  return (
    <svg aria-hidden="true" viewBox="-1.1 -1.1 2.2 2.2" className="size-3 shrink-0">
      {corners.length === 0 ? (
        <circle r="0.9" style={style} />
      ) : (
        <polygon points={corners.map(([x, y]) => `${x},${y}`).join(' ')} style={style} />
      )}
    </svg>
  );
}

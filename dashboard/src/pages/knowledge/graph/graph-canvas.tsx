import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { IconButton } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/format.ts';
import { GraphView } from './graph-view.ts';
import { listenToGestures } from './listen-to-gestures.ts';
import type { PreparedGraph } from './prepare-graph.ts';
import { useLayout } from './use-layout.ts';

interface GraphCanvasProps {
  readonly graph: PreparedGraph;
  /** The id of a node. */
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}

const ZOOM_STEP = 1.4;
const PAN_PX = 60;

/** To be looked at and touched; the list beside it has the same nodes for everybody else. */
export function GraphCanvas({ graph, selected, onSelect }: GraphCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<GraphView>(undefined);
  const latest = useRef({ graph, onSelect });
  latest.current = { graph, onSelect };
  useEffect(() => {
    if (canvas.current === null) return;
    const opened = new GraphView(canvas.current);
    view.current = opened;
    const stop = listenToGestures(canvas.current, opened, {
      onPress: (at) =>
        latest.current.onSelect(at === undefined ? undefined : latest.current.graph.nodes[at]?.id),
    });
    return () => {
      stop();
      opened.close();
    };
  }, []);
  useEffect(() => view.current?.show(graph), [graph]);
  const { isSettling } = useLayout(graph, (positions) => view.current?.place(positions));
  const at = selected === undefined ? undefined : graph.indexOf.get(selected);
  useEffect(() => {
    view.current?.select(at);
    if (at !== undefined && !isSettling) view.current?.bring(at);
  }, [at, isSettling]);
  return (
    <section
      aria-label="Graph"
      tabIndex={0}
      onKeyDown={(event) => press(event, view.current)}
      className="relative h-[45dvh] min-h-72 overflow-hidden rounded-lg border border-line bg-surface lg:h-full"
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${count(graph.nodes, 'node')} and ${count(graph.edges, 'edge')}. The list beside it has the same nodes.`}
        data-settled={!isSettling}
        className="absolute inset-0 size-full touch-none"
      />
      <div className="absolute right-2 bottom-2 flex gap-1 rounded-lg border border-line bg-raised p-1">
        <IconButton
          label="Nearer"
          icon={Plus}
          size="smallIcon"
          onClick={() => view.current?.zoom(ZOOM_STEP)}
        />
        <IconButton
          label="Farther"
          icon={Minus}
          size="smallIcon"
          onClick={() => view.current?.zoom(1 / ZOOM_STEP)}
        />
        <IconButton
          label="Show all"
          icon={Maximize}
          size="smallIcon"
          onClick={() => view.current?.fit()}
        />
      </div>
    </section>
  );
}

function count(things: readonly unknown[], name: string): string {
  return `${formatCount(things.length)} ${name}${things.length === 1 ? '' : 's'}`;
}

const KEYS: Readonly<Record<string, (view: GraphView) => void>> = {
  ArrowLeft: (view) => view.panBy(PAN_PX, 0),
  ArrowRight: (view) => view.panBy(-PAN_PX, 0),
  ArrowUp: (view) => view.panBy(0, PAN_PX),
  ArrowDown: (view) => view.panBy(0, -PAN_PX),
  '+': (view) => view.zoom(ZOOM_STEP),
  '-': (view) => view.zoom(1 / ZOOM_STEP),
  '0': (view) => view.fit(),
};

function press(event: KeyboardEvent, view: GraphView | undefined): void {
  const act = KEYS[event.key];
  if (act === undefined || view === undefined || event.target !== event.currentTarget) return;
  event.preventDefault();
  act(view);
}

import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { IconButton, LinkButton } from '../../../kit/button.tsx';
import { useShortcut } from '../../../kit/shortcuts.ts';
import { readFilters, writeFilters } from '../list/run-filters.ts';
import { findNeighbours } from '../list/run-rows.ts';
import { useRunList } from '../list/use-run-list.ts';

interface RunNeighboursProps {
  readonly runId: string;
  readonly search: string;
}

/** Back to the list, and through it without going back: newer and older runs of the same filters. */
export function RunNeighbours({ runId, search }: RunNeighboursProps) {
  const filters = readFilters(search);
  const { rows, loadMore } = useRunList(filters);
  const [, navigate] = useLocation();
  const { newer, older } =
    rows === undefined ? { newer: undefined, older: undefined } : findNeighbours(rows, runId);
  const isLast = rows !== undefined && rows.next !== null && rows.runs.at(-1)?.id === runId;
  useEffect(() => {
    if (isLast) void loadMore();
  }, [isLast, loadMore]);
  const go = (id: string | undefined) => {
    if (id !== undefined) navigate(`/runs/${id}${writeFilters(filters)}`);
  };
  useShortcut('j', 'Next run (older), also →', () => go(older));
  useShortcut('k', 'Previous run (newer), also ←', () => go(newer));
  useArrows((step) => go(step > 0 ? older : newer));
  return (
    <nav aria-label="Other runs" className="flex items-center gap-1">
      <LinkButton to={`/runs${writeFilters(filters)}`} kind="quiet" icon={ArrowLeft}>
        Runs
      </LinkButton>
      <IconButton
        label="Previous run (newer)"
        icon={ChevronLeft}
        disabled={newer === undefined}
        onClick={() => go(newer)}
      />
      <IconButton
        label="Next run (older)"
        icon={ChevronRight}
        disabled={older === undefined}
        onClick={() => go(older)}
      />
    </nav>
  );
}

/** Where arrows have a meaning of their own, they keep it. */
const OWN_ARROWS =
  'input, textarea, select, [role=tablist], [role=menu], [data-own-keys], dialog, pre';

function useArrows(move: (step: number) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
      if (step === undefined || !isPlain || document.querySelector('dialog[open]')) return;
      if (event.target instanceof Element && event.target.closest(OWN_ARROWS)) return;
      move(step);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

import { compareSides, type Figures } from './blocks.ts';
import { judge, percent, type Row, whole } from './report.ts';
import { CLIENTS, type RunSides } from './run-sides.ts';

interface Against {
  readonly ours: RunSides;
  readonly peer: RunSides;
  /** Times as fast. */
  readonly goal: number | undefined;
}

export function timesRow(figures: Figures, { ours, peer, goal }: Against): Row {
  const comparison = compareSides(figures, ours.many, peer.many);
  const { ratio, lowest, highest, rate, controlRate, controlSpread } = comparison;
  return {
    what: `3-step runs, ${ours.target.name} / ${peer.target.name}, ${CLIENTS} clients`,
    measured: `${ratio.toFixed(2)} ×`,
    goal: goal === undefined ? '-' : `≥ ${goal} ×`,
    verdict: judge(comparison.isVoid, goal === undefined ? undefined : ratio >= goal),
    note:
      `${whole(rate)}/s against ${whole(controlRate)}/s; ${lowest.toFixed(2)} to ${highest.toFixed(2)} ×, ` +
      `${peer.target.name} ± ${percent(controlSpread / 2)}`,
  };
}

const MAX_SHARE = 0.25;
const MAX_MS = 2.5;

/** How long a lone client waits, as a share of what it waits for the better peer. */
export function singleRow(figures: Figures, ours: RunSides, peers: readonly RunSides[]): Row {
  const compared = peers.map((peer) => compareSides(figures, ours.one, peer.one));
  const better = compared.reduce((best, next) =>
    next.controlRate > best.controlRate ? next : best,
  );
  const share = 1 / better.ratio;
  const ourMs = 1000 / better.rate;
  return {
    what: `3-step run p50, ${ours.target.name} / better peer, one client`,
    measured: share.toFixed(2),
    goal: `≤ ${MAX_SHARE} or ≤ ${MAX_MS} ms`,
    verdict: judge(better.isVoid, share <= MAX_SHARE || ourMs <= MAX_MS),
    note: [
      `ours ${ourMs.toFixed(2)} ms`,
      ...compared.map(
        ({ control, controlRate }) => `${control} ${(1000 / controlRate).toFixed(2)} ms`,
      ),
    ].join(', '),
  };
}

import type { ForkPoint } from '../core/runs/run.ts';

/** Its fields one by one; null for a run that is nobody's fork. */
export function encodeForkPoint(point: ForkPoint | undefined): string | null {
  return point === undefined ? null : JSON.stringify({ runId: point.runId, seq: point.seq });
}

export function decodeForkPoint(stored: string | null): ForkPoint | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as ForkPoint);
}

import type { RunId } from '../ids.ts';
import { isJsonObject } from '../json.ts';
import type { ForkPoint } from './run.ts';

/** As `run.created` and every surface spell it. */
export function encodeForkPoint({ runId, seq }: ForkPoint): { run_id: string; seq: number } {
  return { run_id: runId, seq };
}

export function decodeForkPoint(value: unknown): ForkPoint | undefined {
  if (!isJsonObject(value)) return undefined;
  const { run_id: runId, seq } = value;
  if (typeof runId !== 'string' || typeof seq !== 'number') return undefined;
  return { runId: runId as RunId, seq };
}

import type { RunStatus } from '../core/runs/run.ts';
import { MAX_SEARCHED_RUNS, type RunPage, type RunSearch } from '../core/runs/run-store.ts';

/** How many runs are looked at: as many as the page needs, or those among which the others are searched for. */
export function countCandidates(search: RunSearch, size: number): number {
  return isLoose(search) ? MAX_SEARCHED_RUNS : size + 1;
}

/** Whether it asks for what no index knows. */
function isLoose({ source, text }: RunSearch): boolean {
  return source !== undefined || text !== undefined;
}

/** Each status has its own look into the index; undefined stands for any. */
export function statusesOf({ statuses, status }: RunSearch): readonly (RunStatus | undefined)[] {
  return statuses ?? [status];
}

interface Searched {
  readonly page: RunPage;
  /** The last of the runs that were looked at; undefined when those were all. */
  readonly lastSeen: RunPage['next'];
  readonly text: string | undefined;
}

/** Stored texts are compared, in which a line break is two letters: what was found is looked at again. */
export function toSearchPage({ page, lastSeen, text }: Searched): RunPage {
  const next = page.next ?? lastSeen;
  if (text === undefined) return { ...page, next };
  const wanted = text.toLowerCase();
  const says = (said: string | undefined) => said?.toLowerCase().includes(wanted) ?? false;
  const runs = page.runs.filter(({ message, output }) => says(message) || says(output));
  return { ...page, runs, next };
}

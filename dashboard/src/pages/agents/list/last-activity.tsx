import { listRuns } from '../../../../../src/operations/runs/runs.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Time } from '../../../kit/time.tsx';

const LOOKED_AT = 200;

export interface RecentRuns {
  readonly isLoaded: boolean;
  /** There are no others. */
  readonly isAll: boolean;
  /** When each agent last did something. */
  readonly lastAt: ReadonlyMap<string, string>;
}

/** One request tells of most agents; only those that it says nothing about are asked for one by one. */
export function useRecentRuns(): RecentRuns {
  const { data } = useRead(listRuns, { query: { limit: LOOKED_AT } });
  const lastAt = new Map<string, string>();
  for (const { agent_id, updated_at } of data?.runs ?? []) {
    const known = lastAt.get(agent_id);
    if (known === undefined || known < updated_at) lastAt.set(agent_id, updated_at);
  }
  return { isLoaded: data !== undefined, isAll: data?.next_cursor === null, lastAt };
}

interface LastActivityProps {
  readonly agentId: string;
  readonly recent: RecentRuns;
}

export function LastActivity({ agentId, recent }: LastActivityProps) {
  const known = recent.lastAt.get(agentId);
  const isAsked = recent.isLoaded && !recent.isAll && known === undefined;
  const own = useRead(listRuns, { query: { agent_id: agentId, limit: 1 } }, { isEnabled: isAsked });
  const at = known ?? own.data?.runs[0]?.updated_at;
  const isKnown = recent.isAll || own.data !== undefined;
  return <Time at={at} empty={isKnown ? 'never' : '–'} />;
}

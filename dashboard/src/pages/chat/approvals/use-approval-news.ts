import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onLiveEvent } from '../../../api/live.ts';

/** Questions come and are settled by decisions of policy: what shows them is read again then. */
const NOUNS = ['approvals', 'sessions', 'status'];
const GATHER_MS = 150;

export function useApprovalNews(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      for (const noun of NOUNS) void queries.invalidateQueries({ queryKey: [noun] });
    };
    const stop = onLiveEvent(({ event_type: type }) => {
      if (type === 'policy.decision') timer ??= setTimeout(refresh, GATHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queries]);
}

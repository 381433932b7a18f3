import type { Clock } from '../../clock.ts';
import { repeat } from '../../repeat.ts';

/** Three chances to renew before a lease runs out. */
const RENEWALS_PER_LEASE = 3;

/**
 * Renews a lease for as long as its work runs. A renewal that fails is tried again at the next turn: the work goes
 * on in any case, since stopping it would leave its effect in doubt. Answers with the way to stop.
 */
export function keepLease(
  clock: Clock,
  leaseMs: number,
  renew: () => Promise<unknown>,
): () => void {
  return repeat(clock, Math.ceil(leaseMs / RENEWALS_PER_LEASE), renew);
}

import { type Backoff, backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import { repeat } from '../repeat.ts';
import type { NewCall, OpenResult, ReceiptStore } from './receipt-store.ts';

export interface ClaimDeps {
  readonly receipts: ReceiptStore;
  readonly clock: Clock;
}

/** After a crash the same call waits so long before it is taken up again. Renewed while it is made. */
export const CALL_LEASE_MS = 10_000;
const RENEWALS_PER_LEASE = 3;

/** Who asks for a call that is being made waits for its end, and no longer than this. */
const MAX_WAIT_MS = 60_000;
const POLL: Backoff = { firstMs: 20, maxMs: 500 };

export type Claimed = Extract<OpenResult, { readonly outcome: 'opened' | 'settled' }>;

/** The call, or how it ended. Waits while somebody else makes it. */
export async function claimCall(deps: ClaimDeps, call: NewCall): Promise<Claimed> {
  const { receipts, clock } = deps;
  const untilMs = clock.nowMs() + MAX_WAIT_MS;
  for (let poll = 1; ; poll += 1) {
    const result = await receipts.open(call);
    switch (result.outcome) {
      case 'opened':
      case 'settled':
        return result;
      case 'conflict':
        throw new RuntimeError(
          'conflict',
          `tool_call_id ${call.callId} was used for another request`,
        );
      case 'busy':
        if (clock.nowMs() >= untilMs) {
          throw new RuntimeError('conflict', `tool_call_id ${call.callId} is still being executed`);
        }
        await clock.sleep(Math.min(backoffMs(POLL, poll), result.leaseLeftMs));
    }
  }
}

/** Keeps the claim while `work` runs, and gives up keeping it when somebody else has it. */
export async function whileClaimed<T>(
  { receipts, clock }: ClaimDeps,
  call: NewCall,
  work: () => Promise<T>,
): Promise<T> {
  // A renewal that fails is tried again: the lease outlasts two of them.
  const stop = repeat(clock, call.leaseMs / RENEWALS_PER_LEASE, async () => {
    if (!(await receipts.renew(call, call.leaseMs))) stop();
  });
  try {
    return await work();
  } finally {
    stop();
  }
}

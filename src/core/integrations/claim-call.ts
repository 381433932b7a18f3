import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
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
const FIRST_POLL_MS = 20;
const MAX_POLL_MS = 500;

export type Claimed = Extract<OpenResult, { readonly outcome: 'opened' | 'settled' }>;

/** The call, or how it ended. Waits while somebody else makes it. */
export async function claimCall(deps: ClaimDeps, call: NewCall): Promise<Claimed> {
  const { receipts, clock } = deps;
  const untilMs = clock.nowMs() + MAX_WAIT_MS;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, MAX_POLL_MS)) {
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
        await clock.sleep(Math.min(pollMs, result.leaseLeftMs));
    }
  }
}

/** Keeps the claim while `work` runs, and gives up keeping it when somebody else has it. */
export async function whileClaimed<T>(
  { receipts, clock }: ClaimDeps,
  call: NewCall,
  work: () => Promise<T>,
): Promise<T> {
  let cancel = () => {};
  const renewLater = () => {
    cancel = clock.after(call.leaseMs / RENEWALS_PER_LEASE, () => {
      // A renewal that fails is tried again: the lease outlasts two of them.
      const renewed = receipts.renew(call, call.leaseMs).catch(() => true);
      void renewed.then((isOurs) => {
        if (isOurs && !isOver) renewLater();
      });
    });
  };
  let isOver = false;
  renewLater();
  try {
    return await work();
  } finally {
    isOver = true;
    cancel();
  }
}

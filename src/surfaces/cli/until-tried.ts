import type { Clock } from '../../core/clock.ts';

/** Longer than a server may take to initialize and to list its tools. */
const MAX_WAIT_MS = 45_000;

/** Waits until each external server has been tried once, within bounds: one that hangs is shown as it is. */
export async function untilTried(clients: { tried(): Promise<void> }, clock: Clock): Promise<void> {
  const done = new AbortController();
  await Promise.race([clients.tried(), clock.sleep(MAX_WAIT_MS, done.signal)]);
  done.abort();
}

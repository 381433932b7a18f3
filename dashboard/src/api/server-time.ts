import { createStore } from './store.ts';

/** How far this machine's clock is ahead of the server's. Smaller differences are the network's. */
export const aheadMs = createStore(0);
const NOTABLE_MS = 5_000;

export function noteServerTime(date: string | null): void {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return;
  const difference = Date.now() - serverMs;
  // Told to the second: what is shown does not tremble with every answer.
  if (Math.abs(difference - aheadMs.get()) < NOTABLE_MS) return;
  aheadMs.set(Math.abs(difference) < NOTABLE_MS ? 0 : difference);
}

/** Now, as the server counts: a wrong clock here makes no run last for hours. */
export function serverNowMs(): number {
  return Date.now() - aheadMs.get();
}

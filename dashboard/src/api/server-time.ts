/** How far this machine's clock is ahead of the server's. Smaller differences are the network's. */
let aheadMs = 0;
const NOTABLE_MS = 5_000;

export function noteServerTime(date: string | null): void {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return;
  const difference = Date.now() - serverMs;
  aheadMs = Math.abs(difference) < NOTABLE_MS ? 0 : difference;
}

/** Now, as the server counts: a wrong clock here makes no run last for hours. */
export function serverNowMs(): number {
  return Date.now() - aheadMs;
}

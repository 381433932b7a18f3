import type { ServerResponse } from 'node:http';

/** Cuts the connection of a caller that has not taken its answer in time: until then all of it is held in memory. */
export function limitAnswer(response: ServerResponse, timeoutMs: number): void {
  // Who has left says so once: a timer set after that would wait for nobody.
  if (response.destroyed) return;
  const cut = () => response.destroy(new Error(`answer was not taken within ${timeoutMs} ms`));
  const timer = setTimeout(cut, timeoutMs);
  response.once('close', () => clearTimeout(timer));
}

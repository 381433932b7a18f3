import type { ServerResponse } from 'node:http';

/** Cuts the connection of a caller that has not taken its answer in time: until then all of it is held in memory. */
export function limitAnswer(response: ServerResponse, timeoutMs: number): void {
  const cut = () => response.destroy(new Error(`answer was not taken within ${timeoutMs} ms`));
  const timer = setTimeout(cut, timeoutMs);
  response.once('close', () => clearTimeout(timer));
}

/**
 * Lets whatever else is ready run first: requests, timers, signals. An embedded store answers without one turn of the
 * event loop, so a loop that waits for news and goes round on nothing else would hold up the whole process.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Does `work` for every item, at most `limit` at a time. Stops taking items at the first failure and throws it. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let failed = false;
  async function lane(): Promise<void> {
    for (let next = queue.next(); !next.done && !failed; next = queue.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: limit }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}

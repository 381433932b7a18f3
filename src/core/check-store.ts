import type { Clock } from './clock.ts';
import { RuntimeError, toRuntimeError } from './errors.ts';

export interface StoreCheckDeps {
  /** Reads and writes something; throws when that fails, and may take as long as the store does. */
  readonly ping: () => Promise<void>;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
}

/** Who asks whether a server is alive wants to know soon, and gives up after a few seconds itself. */
const MAX_WAIT_MS = 2_000;
/** However many ask, the store is written no more often than this for them. */
const KEPT_MS = 1_000;

/** Throws `storage_unavailable` when the store can't serve or says nothing: for health checks, however many there are. */
export function createStoreCheck({ ping, clock }: StoreCheckDeps): () => Promise<void> {
  let underWay: { readonly sinceMs: number; readonly settled: Promise<void> } | undefined;
  let last: { readonly atMs: number; readonly error: RuntimeError | undefined } | undefined;

  async function probe(): Promise<void> {
    const error = await ping().then(
      () => undefined,
      (thrown: unknown) => toRuntimeError(thrown),
    );
    last = { atMs: clock.nowMs(), error };
    underWay = undefined;
  }

  /** False when the probe takes longer than anybody should wait for it. */
  function awaitProbe(): Promise<boolean> {
    underWay ??= { sinceMs: clock.nowMs(), settled: probe() };
    const { sinceMs, settled } = underWay;
    const leftMs = sinceMs + MAX_WAIT_MS - clock.nowMs();
    if (leftMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const cancel = clock.after(leftMs, () => resolve(false));
      void settled.then(() => {
        cancel();
        resolve(true);
      });
    });
  }

  return async () => {
    const isKnown = last !== undefined && clock.nowMs() - last.atMs < KEPT_MS;
    if (!isKnown && !(await awaitProbe())) {
      throw new RuntimeError('storage_unavailable', 'storage is unavailable: it does not answer');
    }
    if (last?.error) throw last.error;
  };
}

import type { Runtime } from '../app.ts';
import { systemClock } from '../core/clock.ts';
import { findProjections } from '../core/projection/find-projections.ts';
import type { RateLimiter } from '../surfaces/http/rate-limiter.ts';
import type { Surface } from '../surfaces/http/surface.ts';
import { createInternalSurface } from '../surfaces/internal/create-internal-surface.ts';
import { createSignatureAuth } from '../surfaces/internal/signature-auth.ts';
import { VERSION } from '../version.ts';

export interface InternalMount {
  readonly failures: RateLimiter;
  /** Throws `storage_unavailable` when the store can't serve. */
  readonly ping: () => Promise<void>;
}

/** The control plane of a product's back end, for those who hold the signature secret. */
export function mountInternal(runtime: Runtime, { failures, ping }: InternalMount): Surface {
  const { storage, live, threads, runs } = runtime;
  return createInternalSurface({
    auth: createSignatureAuth({
      secrets() {
        const { signatureSecret, signatureSecrets } = live.current().credentials;
        return { single: signatureSecret, byKeyId: signatureSecrets };
      },
      nonces: storage.nonces,
      failures,
      clock: systemClock,
    }),
    threads,
    runs,
    integrations: runtime.integrations,
    specRegistry: runtime.skills.registry,
    skillReleases: runtime.skills.releases,
    codexWorkers: runtime.workers,
    findWorkerProjections: (workers) =>
      findProjections(storage.projections, 'codex_worker_summary', workers),
    deliveryEvents: runtime.comms,
    ping,
    version: VERSION,
  });
}

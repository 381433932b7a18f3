import type { LiveConfig } from '../config/live-config.ts';
import { systemClock } from '../core/clock.ts';
import { toRuntimeError } from '../core/errors.ts';
import { createFreshValue } from '../core/fresh-value.ts';
import type { Sandbox, SandboxProbe } from '../core/sandbox/sandbox.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import { createReadChecklist, type ReadChecklist } from '../core/security/checklist.ts';
import type { Storage } from '../core/storage.ts';
import { readSecurityFacts } from '../read-security-facts.ts';

export interface SecurityGround {
  readonly live: LiveConfig;
  readonly secrets: Pick<Secrets, 'find'>;
  readonly storage: Pick<Storage, 'costs'>;
  readonly sandbox: Sandbox | undefined;
}

/** Each probe runs a command, which nobody should be able to ask for all the time. */
const MAX_PROBE_AGE_MS = 60_000;

/** The security checklist of a running server. */
export function assembleSecurity({
  live,
  secrets,
  storage,
  sandbox,
}: SecurityGround): ReadChecklist {
  const clock = systemClock;
  const probe = createFreshValue({
    clock,
    maxAgeMs: MAX_PROBE_AGE_MS,
    look: () => probeSandbox(sandbox),
  });
  return createReadChecklist({
    clock,
    readFacts: () =>
      readSecurityFacts({
        loaded: live.current(),
        secrets,
        probeSandbox: () => probe.get(),
        hasStoredBudget: async () => (await storage.costs.listBudgets()).length > 0,
      }),
  });
}

async function probeSandbox(sandbox: Sandbox | undefined): Promise<SandboxProbe> {
  if (sandbox === undefined) return { available: false, reason: 'none was opened' };
  return sandbox.probe().catch((error: unknown) => ({
    available: false as const,
    reason: toRuntimeError(error).message,
  }));
}

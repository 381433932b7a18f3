import type { Clock } from '../clock.ts';
import {
  checkBindAddress,
  checkFiles,
  checkRateLimit,
  checkTokenNotDefault,
  checkTokenStrong,
} from './access-checks.ts';
import { type HelperCommands, toHelperCommands } from './helper-commands.ts';
import type { Judgement } from './judgement.ts';
import { checkOpenclaw, checkRemoteProvider, checkRemoteUrl } from './remote-checks.ts';
import type { RemoteProvider, SecurityFacts } from './security-facts.ts';
import {
  checkApprovals,
  checkNetwork,
  checkReliability,
  checkSandboxReady,
  checkShell,
} from './tool-checks.ts';
import {
  checkAudit,
  checkBackup,
  checkBudgets,
  checkNodeVersion,
  checkVoice,
} from './upkeep-checks.ts';

type Check = (facts: SecurityFacts, nowMs: number) => Judgement;

/** In the order of the answer; ids are the contract's, or stay as they are once released. */
const CHECKS = {
  auth_token_not_default: checkTokenNotDefault,
  openclaw_local_only: checkOpenclaw,
  remote_provider_configured: checkRemoteProvider,
  remote_url_secure: checkRemoteUrl,
  voice_keys_ready: checkVoice,
  api_rate_limit_configured: checkRateLimit,
  auth_token_strong: checkTokenStrong,
  bind_address_local: checkBindAddress,
  secret_files_private: checkFiles,
  sandbox_ready: checkSandboxReady,
  shell_restricted: checkShell,
  network_restricted: checkNetwork,
  tool_reliability_on: checkReliability,
  approvals_required: checkApprovals,
  audit_verified: checkAudit,
  budgets_set: checkBudgets,
  backup_recent: checkBackup,
  node_supported: checkNodeVersion,
} as const satisfies Readonly<Record<string, Check>>;

export type CheckId = keyof typeof CHECKS;
export const CHECK_IDS = Object.keys(CHECKS) as [CheckId, ...CheckId[]];

/** Whether this installation may be opened to the world. */
export interface Checklist {
  readonly generatedAtMs: number;
  readonly isReady: boolean;
  readonly provider: RemoteProvider;
  readonly publicUrl: string | undefined;
  readonly checks: readonly (Judgement & { readonly id: CheckId })[];
  readonly helperCommands: HelperCommands;
}

export type ReadChecklist = () => Promise<Checklist>;

export function judgeSecurity(facts: SecurityFacts, nowMs: number): Checklist {
  const checks = CHECK_IDS.map((id) => ({ id, ...CHECKS[id](facts, nowMs) }));
  return {
    generatedAtMs: nowMs,
    isReady: checks.every(({ status }) => status === 'pass'),
    ...facts.remote,
    checks,
    helperCommands: toHelperCommands(facts.server.host, facts.server.port),
  };
}

export interface ChecklistDeps {
  readonly readFacts: () => Promise<SecurityFacts>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export function createReadChecklist({ readFacts, clock }: ChecklistDeps): ReadChecklist {
  return async () => judgeSecurity(await readFacts(), clock.nowMs());
}

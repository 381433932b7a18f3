import type { AgentStore } from './agents/agent.ts';
import type { ApprovalStore } from './approvals/approval.ts';
import type { CommsStore } from './comms/comms-store.ts';
import type { EffectStore } from './effects/effect.ts';
import type { EventLog, Wakeups } from './events/event-log.ts';
import type { EventRetention } from './events/retention.ts';
import type { ReceiptStore } from './integrations/receipt-store.ts';
import type { MailStore } from './mail/mail.ts';
import type { CapabilityStore } from './policy/capability-store.ts';
import type { ProjectionStore } from './projection/projection-store.ts';
import type { RecordStore } from './records/record-store.ts';
import type { BreakerStore } from './reliability/breaker-store.ts';
import type { IdempotencyStore } from './reliability/idempotency-store.ts';
import type { RunStore } from './runs/run-store.ts';
import type { JobStore } from './schedule/job-store.ts';
import type { SecretPlace } from './secrets/secret-place.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { SkillStore } from './skills/skill-store.ts';
import type { NonceStore } from './threads/nonce-store.ts';
import type { ToolPinStore } from './tools/tool-pin.ts';
import type { WorkerStore } from './workers/worker-store.ts';

/** The ports a storage engine implements. Only the composition root knows which engine it is. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  readonly runs: RunStore;
  readonly events: EventLog;
  readonly records: RecordStore;
  readonly retention: EventRetention;
  readonly agents: AgentStore;
  readonly effects: EffectStore;
  readonly approvals: ApprovalStore;
  readonly capabilities: CapabilityStore;
  readonly toolPins: ToolPinStore;
  readonly idempotency: IdempotencyStore;
  readonly breakers: BreakerStore;
  readonly sessions: SessionStore;
  readonly jobs: JobStore;
  readonly mail: MailStore;
  readonly nonces: NonceStore;
  readonly receipts: ReceiptStore;
  readonly skills: SkillStore;
  readonly workers: WorkerStore;
  readonly comms: CommsStore;
  readonly projections: ProjectionStore;
  /** Where nodes that share this storage keep their secrets; absent when one state root has it for itself. */
  readonly secretPlace?: SecretPlace;
  readonly wakeups: Wakeups;
  /** Reads and writes something. Throws `storage_unavailable` when the engine can't; may take as long as it hangs. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

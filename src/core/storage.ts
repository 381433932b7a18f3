import type { AgentStore } from './agents/agent.ts';
import type { EventLog, Wakeups } from './events/event-log.ts';
import type { RunStore } from './runs/run-store.ts';

/** The ports a storage engine implements. Only the composition root knows which engine it is. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  readonly runs: RunStore;
  readonly events: EventLog;
  readonly agents: AgentStore;
  readonly wakeups: Wakeups;
  /** Throws `storage_unavailable` when the engine can't serve: for health checks. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

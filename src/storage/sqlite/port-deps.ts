import type { Topic } from '../../core/events/event-log.ts';
import type { AgentRows } from './agent-rows.ts';
import type { Database } from './driver.ts';
import type { RecentEvents } from './runs/recent-events.ts';
import type { Writer } from './writer.ts';

export interface PortDeps {
  readonly db: Database;
  readonly writer: Writer;
  readonly recent: RecentEvents;
  readonly agentRows: AgentRows;
  readonly nowMs: () => number;
  /** After a commit that is not about a run; those wake by themselves. */
  readonly wakeTopic: (topic: Topic) => void;
  /** Runs a query unless the storage is closed, and names the faults it meets. */
  readonly read: <T>(query: () => T) => Promise<T>;
}

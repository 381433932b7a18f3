import type { SessionId } from '../ids.ts';
import type { ContextDeps } from './load-context.ts';
import type { MessagePlace, SessionMessage, ToolRecord } from './session.ts';
import type { SessionSummary } from './session-store.ts';

export const SESSION_ID = 'session_test' as SessionId;

type Said = Partial<Omit<SessionMessage, 'content'>> & {
  readonly content?: string | Partial<ToolRecord>;
};

/** One stored message; what a test does not name is plain. */
export function message(said: Said): SessionMessage {
  const { content = '', ...rest } = said;
  return {
    exchange: 1,
    position: 1,
    role: 'user',
    toolName: undefined,
    toolCallId: undefined,
    status: undefined,
    runId: undefined,
    atMs: 0,
    ...rest,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  };
}

export function toolMessage(record: Partial<ToolRecord>): SessionMessage {
  const { tool = 'fs.read', id = 'call_1' } = record;
  return message({ role: 'tool', content: record, toolName: tool, toolCallId: id });
}

export interface TestHistory {
  readonly sessions: ContextDeps['sessions'];
  readonly summary: SessionSummary | undefined;
  /** How many messages were read. */
  readonly reads: number;
  /** Adds messages as one more exchange. */
  add(...messages: readonly SessionMessage[]): void;
}

/** One session in memory, for what reads conversations and sums them up. */
export function createTestHistory(): TestHistory {
  const stored: SessionMessage[] = [];
  let summary: SessionSummary | undefined;
  let exchange = 0;
  let reads = 0;
  return {
    get summary() {
      return summary;
    },
    get reads() {
      return reads;
    },
    add(...messages) {
      exchange += 1;
      for (const [index, one] of messages.entries()) {
        stored.push({ ...one, exchange, position: index + 1 });
      }
    },
    sessions: {
      async readMessages(_, { limit, before }) {
        const older = stored.filter((one) => before === undefined || isBefore(one, before));
        const page = older.slice(-limit);
        reads += page.length;
        return page;
      },
      findSummary: async () => summary,
      async saveSummary(_, next) {
        if (summary === undefined || isBefore(summary.through, next.through)) summary = next;
      },
    },
  };
}

function isBefore(place: MessagePlace, other: MessagePlace): boolean {
  if (place.exchange !== other.exchange) return place.exchange < other.exchange;
  return place.position < other.position;
}

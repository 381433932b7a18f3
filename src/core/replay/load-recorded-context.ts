import { isJsonObject, type JsonObject } from '../json.ts';
import { type DecodedConditions, decodeConditions } from '../loop/record/conditions.ts';
import { type ContextDeps, loadContext, type SessionContext } from '../sessions/load-context.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { WholeRun } from './read-recording.ts';

export interface ContextSource {
  /** What was said in the run's conversation before it. */
  readonly sessions: Pick<SessionStore, 'readMessages'>;
}

/** What a run knew of its conversation when it was first asked for something. */
export function loadRecordedContext(
  { sessions }: ContextSource,
  { run, log }: WholeRun,
): Promise<SessionContext> {
  const first = log.find(({ payload }) => 'conditions' in payload);
  return loadContext(toContextPorts(sessions, toConditions(first?.payload)), run);
}

export function toConditions(payload: JsonObject | undefined): DecodedConditions {
  const recorded = payload?.['conditions'];
  return decodeConditions(isJsonObject(recorded) ? recorded : {});
}

/** A conversation as it was: what stood for its beginning then, and the messages behind that, which never change. */
export function toContextPorts(
  sessions: ContextSource['sessions'],
  { context, summary }: DecodedConditions,
): ContextDeps {
  return {
    context: () => context,
    sessions: {
      readMessages: (id, page) => sessions.readMessages(id, page),
      findSummary: async () => summary,
      saveSummary: async () => {},
    },
  };
}

import type { Agent } from '../agents/agent.ts';
import type { EventLog } from '../events/event-log.ts';
import type { FactId, JobId, MemoryId, RunId, SessionId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { FactStore } from '../knowledge/fact.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { CapabilityStore } from '../policy/capability-store.ts';
import { encodeAuditLine } from '../records/audit-line.ts';
import { isTerminal, RUN_STATUSES } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { Notify } from '../schedule/job.ts';
import type { JobStore } from '../schedule/job-store.ts';
import type { Session, SessionMessage } from '../sessions/session.ts';
import type { SessionCursor, SessionStore } from '../sessions/session-store.ts';
import type { Releases } from '../skills/releases.ts';
import type { Counter } from './count-rows.ts';
import {
  type Clean,
  encodeFact,
  encodeJob,
  encodeMemory,
  encodeMessage,
  encodeSession,
} from './encode-rows.ts';
import { findNamedReleases } from './named-releases.ts';
import type { Part } from './parcel-format.ts';

export interface ReadRowsDeps {
  readonly sessions: Pick<SessionStore, 'list' | 'readMessages' | 'findSummary'>;
  readonly memories: Pick<MemoryStore, 'listOf'>;
  readonly facts: Pick<FactStore, 'listOf'>;
  readonly jobs: Pick<JobStore, 'list'>;
  readonly runs: Pick<RunStore, 'list'>;
  readonly events: EventLog;
  readonly capabilities: Pick<CapabilityStore, 'list'>;
  readonly releases: Pick<Releases, 'list' | 'examine'>;
  readonly redactor: Clean;
}

export interface Rows {
  readonly part: Part;
  readonly rows: AsyncIterable<object>;
}

interface Wanted {
  readonly agent: Agent;
  readonly withAudit: boolean;
}

type Count = Counter['count'];

const PAGE = 200;
const OPEN = RUN_STATUSES.filter((status) => !isTerminal(status));

/** The parts of a parcel in their order. Read in pages while the runtime goes on. */
export function* readRows(deps: ReadRowsDeps, wanted: Wanted, count: Count): Generator<Rows> {
  const { agent } = wanted;
  const sessionIds = new Set<string>();
  yield { part: 'skills', rows: readSkills(deps, agent, count) };
  yield { part: 'conversations', rows: readConversations(deps, { agent, count, sessionIds }) };
  yield { part: 'memories', rows: readMemories(deps, agent, count) };
  yield { part: 'facts', rows: readFacts(deps, agent, count) };
  yield { part: 'jobs', rows: readJobs(deps, { agent, count, sessionIds }) };
  if (wanted.withAudit) yield { part: 'audit', rows: readAudit(deps, agent, count) };
}

async function* readSkills({ releases }: ReadRowsDeps, agent: Agent, count: Count) {
  for (const release of await findNamedReleases(releases, agent.skills)) {
    count('skills');
    yield { release };
  }
}

interface Reading {
  readonly agent: Agent;
  readonly count: Count;
  /** Of the agent, as far as they are written. */
  readonly sessionIds: Set<string>;
}

async function* readConversations(deps: ReadRowsDeps, { agent, count, sessionIds }: Reading) {
  const { sessions, redactor } = deps;
  let before: SessionCursor | undefined;
  do {
    const filter = { agentId: agent.id, includeClosed: true, limit: PAGE };
    const page = await sessions.list({ ...filter, ...(before && { before }) });
    // After the page: what began since then is behind the last exchange of its session.
    const open = await findOpenExchanges(deps, agent);
    for (const session of page.sessions) {
      // One that moves to the front while pages are read is met twice.
      if (sessionIds.has(session.id)) continue;
      sessionIds.add(session.id);
      count('sessions');
      yield encodeSession(session, await sessions.findSummary(session.id), redactor);
      for await (const message of readMessages(deps, session)) {
        if (open.has(toPlace(session.id, message.exchange))) continue;
        count('messages');
        yield encodeMessage(message, redactor);
      }
    }
    before = page.next;
  } while (before !== undefined);
}

/** Newest first, without what came after the session was read. */
async function* readMessages({ sessions }: ReadRowsDeps, { id, lastExchange }: Session) {
  let before: SessionMessage | undefined;
  for (;;) {
    const page = await sessions.readMessages(id, { limit: PAGE, ...(before && { before }) });
    for (const message of page.toReversed()) if (message.exchange <= lastExchange) yield message;
    before = page[0];
    if (before === undefined || page.length < PAGE) return;
  }
}

/** What an open run has said so far would stand there as if it had ended with it. */
async function findOpenExchanges(
  { runs }: ReadRowsDeps,
  agent: Agent,
): Promise<ReadonlySet<string>> {
  const places = new Set<string>();
  for (const status of OPEN) {
    let before: RunId | undefined;
    do {
      const filter = { agentId: agent.id, status, limit: PAGE };
      const page = await runs.list({ ...filter, ...(before && { before }) });
      for (const { sessionId, exchange } of page.runs) {
        if (sessionId !== undefined && exchange !== undefined)
          places.add(toPlace(sessionId, exchange));
      }
      before = page.next;
    } while (before !== undefined);
  }
  return places;
}

const toPlace = (sessionId: SessionId, exchange: number): string => `${sessionId} ${exchange}`;

async function* readMemories({ memories, redactor }: ReadRowsDeps, agent: Agent, count: Count) {
  let after: MemoryId | undefined;
  do {
    const page = await memories.listOf(agent.id, { limit: PAGE, ...(after && { after }) });
    for (const memory of page) {
      count('memories');
      yield encodeMemory(memory, redactor);
    }
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}

async function* readFacts({ facts, redactor }: ReadRowsDeps, agent: Agent, count: Count) {
  let after: FactId | undefined;
  do {
    const page = await facts.listOf(agent.id, { limit: PAGE, ...(after && { after }) });
    for (const fact of page) {
      count('facts');
      yield encodeFact(fact, redactor);
    }
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}

async function* readJobs(deps: ReadRowsDeps, { agent, count, sessionIds }: Reading) {
  const isOwn = ({ channel, target }: Notify) =>
    channel === 'agent' ? target === agent.id : sessionIds.has(target);
  let after: JobId | undefined;
  do {
    const filter = { agentId: agent.id, limit: PAGE };
    const page = await deps.jobs.list({ ...filter, ...(after && { after }) });
    for (const job of page.jobs) {
      count('jobs');
      yield encodeJob(job, isOwn, deps.redactor);
    }
    after = page.next;
  } while (after !== undefined);
}

/** What is kept of the logs of its runs, newest run first, as in audit files. */
async function* readAudit(deps: ReadRowsDeps, agent: Agent, count: Count) {
  let before: RunId | undefined;
  do {
    const filter = { agentId: agent.id, limit: PAGE };
    const page = await deps.runs.list({ ...filter, ...(before && { before }) });
    for (const { id } of page.runs) {
      let after = await deps.events.floor(id);
      for (;;) {
        const events = await deps.events.read(id, { after, limit: PAGE });
        for (const event of events) {
          count('audit_events');
          const line = JSON.parse(encodeAuditLine(event).json) as JsonObject;
          // A line that changes by it no longer has its hash, which shows.
          yield deps.redactor.redact(line, 'event').value;
        }
        after = events.at(-1)?.seq ?? after;
        if (events.length < PAGE) break;
      }
    }
    before = page.next;
  } while (before !== undefined);
}

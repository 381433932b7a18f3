import type { Agent, AgentStore } from '../agents/agent.ts';
import { compareTexts } from '../compare-texts.ts';
import type { Event } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Handoff, HandoffStore } from '../handoffs/handoff.ts';
import type { AgentId, RunId } from '../ids.ts';
import type { Viewer } from '../knowledge/fact.ts';
import type { Onlooker, Viewers } from '../knowledge/viewers.ts';
import { inParallel } from '../records/in-parallel.ts';
import type { RunStore } from '../runs/run-store.ts';
import { cutText } from '../sessions/cut-text.ts';
import type { ProjectStore } from './project-store.ts';

/** Something that an agent said to itself or did, as people follow it. */
export interface TimelineEntry {
  /** Of the event or the hand-off: the same however often it is asked for. */
  readonly id: string;
  readonly kind: 'thought' | 'action';
  readonly agentId: AgentId;
  readonly agentName: string | undefined;
  readonly runId: RunId;
  readonly content: string;
  readonly atMs: number;
}

export interface TimelineDeps {
  readonly projects: Pick<ProjectStore, 'listActiveRuns'>;
  readonly handoffs: Pick<HandoffStore, 'list'>;
  readonly runs: Pick<RunStore, 'find'>;
  readonly events: EventLog;
  readonly agents: Pick<AgentStore, 'list'>;
  readonly viewers: Pick<Viewers, 'see'>;
}

export interface TimelineRequest extends Onlooker {
  readonly projectId: string;
  readonly limit: number;
}

/** Of one run: a timeline shows what goes on, and its log the whole. */
const EVENTS_PER_RUN = 64;
const MAX_AT_ONCE = 8;
const MAX_CONTENT_CHARS = 2_000;

type Told = Omit<TimelineEntry, 'agentName'>;

/** `words`: all of it. `deeds`: that something was asked, done and ended. */
type Sight = 'words' | 'deeds' | 'nothing';

/**
 * From the logs of the runs that moved last. A run that ended before the `limit` newest ones did has nothing newer to
 * tell than they have, so nothing is missed among ended runs.
 */
export async function readTimeline(
  deps: TimelineDeps,
  { projectId, limit, ...onlooker }: TimelineRequest,
): Promise<readonly TimelineEntry[]> {
  const viewer = await deps.viewers.see(onlooker);
  const { owner, readerId, isOwnOnly } = viewer;
  const [runIds, handoffs, agents] = await Promise.all([
    deps.projects.listActiveRuns({ owner, projectId, limit }),
    deps.handoffs.list({
      ...{ owner, projectId, limit },
      ...(isOwnOnly && readerId !== undefined && { agentId: readerId }),
    }),
    deps.agents.list(),
  ]);
  const known = new Map(agents.map((agent) => [agent.id, agent]));
  const told: Told[] = handoffs.map(tellHandoff);
  await inParallel(runIds, MAX_AT_ONCE, async (runId) => {
    for (const event of await readEnd(deps, runId)) {
      const entry = tellEvent(event, seeAgent(viewer, event.agentId, known.get(event.agentId)));
      if (entry) told.push(entry);
    }
  });
  return told
    .sort((a, b) => b.atMs - a.atMs || compareTexts(b.id, a.id))
    .slice(0, limit)
    .map((entry) => ({ ...entry, agentName: known.get(entry.agentId)?.name }));
}

/** What an agent says may come from what it keeps to itself; of one that is gone nobody knows whether it did. */
function seeAgent(
  { readerId, isOwnOnly }: Viewer,
  id: AgentId,
  agent: Pick<Agent, 'memoryAccess'> | undefined,
): Sight {
  if (readerId === id) return 'words';
  if (isOwnOnly) return 'nothing';
  return agent?.memoryAccess === 'global' ? 'words' : 'deeds';
}

/** The last events of a run; what is no longer kept can't be told. */
async function readEnd(deps: TimelineDeps, runId: RunId): Promise<readonly Event[]> {
  const [run, floor] = await Promise.all([deps.runs.find(runId), deps.events.floor(runId)]);
  if (!run) return [];
  const after = Math.max(floor, run.lastSeq - EVENTS_PER_RUN);
  return deps.events.read(runId, { after, limit: EVENTS_PER_RUN });
}

function tellEvent(event: Event, sight: Sight): Told | undefined {
  const { id, agentId, runId, atMs } = event;
  const said = sight === 'nothing' ? undefined : tellContent(event, sight === 'words');
  if (said === undefined) return undefined;
  const kind = isThought(event) ? 'thought' : 'action';
  const content = cutText(said, MAX_CONTENT_CHARS);
  return content === '' ? undefined : { id, kind, agentId, runId, content, atMs };
}

function isThought({ type, payload }: Event): boolean {
  return type === 'model.completed' || (type === 'agent.noted' && payload['kind'] === 'thought');
}

function tellContent({ type, payload }: Event, hasWords: boolean): string | undefined {
  const withWords = (deed: string, words: unknown) => (hasWords ? `${deed}: ${text(words)}` : deed);
  switch (type) {
    case 'run.created':
      return withWords('was asked', payload['message']);
    case 'agent.noted':
    case 'model.completed':
      return hasWords ? text(payload['text']) : undefined;
    case 'tool.call':
      return `calls ${text(payload['tool'])}`;
    case 'run.completed':
      return 'has finished';
    case 'run.failed':
      return withWords(
        'has failed',
        (payload['error'] as { message?: unknown } | undefined)?.message,
      );
    case 'run.cancelled':
      return 'was cancelled';
    default:
      return undefined;
  }
}

function tellHandoff({ id, from, to, runId, content, createdAtMs }: Handoff): Told {
  return {
    id,
    kind: 'action',
    agentId: from,
    runId,
    content: cutText(`hands over to ${to}: ${content}`, MAX_CONTENT_CHARS),
    atMs: createdAtMs,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

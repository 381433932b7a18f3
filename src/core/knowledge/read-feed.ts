import type { AgentId, RunId } from '../ids.ts';
import type { Run } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';
import { cutText } from '../sessions/cut-text.ts';
import type { FeedItem, FeedKind, FeedPlace, FeedStore } from './feed-store.ts';
import type { Onlooker, Viewers } from './viewers.ts';

export interface FeedEntry extends FeedPlace {
  readonly kind: FeedKind;
  /** Undefined for a person or a program. */
  readonly agentId: AgentId | undefined;
  readonly toAgentId: AgentId | undefined;
  readonly message: string;
}

export interface FeedRequest extends Onlooker {
  readonly projectId: string;
  readonly before?: FeedPlace;
  readonly limit: number;
}

export interface FeedPage {
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
  readonly next: FeedPlace | undefined;
}

export interface FeedDeps {
  readonly feed: Pick<FeedStore, 'list'>;
  readonly runs: Pick<RunStore, 'find'>;
  readonly viewers: Viewers;
}

/** The whole is where it comes from. */
const MAX_MESSAGE_CHARS = 2_000;

export async function readFeed(deps: FeedDeps, request: FeedRequest): Promise<FeedPage> {
  const { projectId, before, limit, ...onlooker } = request;
  const found = await deps.feed.list({
    ...(await deps.viewers.see(onlooker)),
    ...{ projectId, ...(before && { before }) },
    // One more than asked for tells whether there is a next page.
    limit: limit + 1,
  });
  const entries = await Promise.all(found.slice(0, limit).map((item) => toEntry(deps, item)));
  return { entries, next: found.length > limit ? entries.at(-1) : undefined };
}

async function toEntry({ runs }: FeedDeps, item: FeedItem): Promise<FeedEntry> {
  const { id, kind, agentId, toAgentId, atMs } = item;
  const told = kind === 'run' ? tellRun(await runs.find(id as RunId)) : tellItem(item);
  return { id, kind, agentId, toAgentId, atMs, message: cutText(told, MAX_MESSAGE_CHARS) };
}

function tellItem({ kind, text = '', relation = '', object = '' }: FeedItem): string {
  if (kind === 'fact') return `${text} ${relation} ${object}`;
  return kind === 'handoff_result' && text === '' ? 'has ended' : text;
}

function tellRun(run: Run | undefined): string {
  if (run?.status === 'completed') return run.output ?? '';
  return `${run?.status ?? 'ended'}${run?.error === undefined ? '' : `: ${run.error.message}`}`;
}

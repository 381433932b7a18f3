import type { Message } from '../loop/model.ts';
import type { Run } from '../runs/run.ts';
import type { ToolTrait } from '../tools/tool.ts';
import { type ContextLimits, maxRunningSummaryChars } from './context-limits.ts';
import { type ContextWindow, createContextWindow } from './context-window.ts';
import { cutText } from './cut-text.ts';
import {
  EMPTY_SUMMARY,
  foldSummary,
  GAP,
  parseSummary,
  type RunningSummary,
  renderSummary,
} from './running-summary.ts';
import type { MessagePlace } from './session.ts';
import type { SessionStore } from './session-store.ts';

/** What a run knows of its conversation before its own message. */
export interface SessionContext {
  readonly messages: readonly Message[];
  /** What earlier calls brought into the conversation is in this run's context too. */
  readonly exposure: readonly ToolTrait[];
}

export interface ContextDeps {
  readonly sessions: Pick<SessionStore, 'readMessages' | 'findSummary' | 'saveSummary'>;
  /** Asked for each run, so that a changed configuration counts at once. */
  readonly context: () => ContextLimits;
}

const NO_CONTEXT: SessionContext = { messages: [], exposure: [] };

const PAGE_SIZE = 50;

/** More messages than one run with every limit at its default can add. */
const MAX_LOOKED_AT = 2_000;

/**
 * The conversation up to this run within its bounds: a running summary, then as many of the newest messages as fit.
 * Earlier exchanges have ended, so it comes out the same after a crash.
 */
export async function loadContext(
  deps: ContextDeps,
  { sessionId, exchange }: Pick<Run, 'sessionId' | 'exchange'>,
): Promise<SessionContext> {
  if (sessionId === undefined || exchange === undefined) return NO_CONTEXT;
  const limits = deps.context();
  const stored = await deps.sessions.findSummary(sessionId);
  const window = createContextWindow(limits, stored?.through);
  const hasGap = await fill(window, (before) =>
    deps.sessions.readMessages(sessionId, {
      limit: PAGE_SIZE,
      before: before ?? { exchange, position: 0 },
    }),
  );
  const { messages, dropped, exposure } = window.close();
  const maxChars = maxRunningSummaryChars(limits);
  const digests = dropped.map(({ digest }) => digest);
  const known = stored ? parseSummary(stored.text) : EMPTY_SUMMARY;
  const summary = foldSummary(known, hasGap ? [GAP, ...digests] : digests, maxChars);
  const through = dropped.at(-1)?.place;
  if (through) {
    await deps.sessions.saveSummary(sessionId, { text: renderSummary(summary), through });
  }
  return {
    messages: [...toLead(summary, maxChars), ...messages],
    exposure: [...new Set([...summary.exposure, ...exposure])],
  };
}

type ReadBefore = (
  place: MessagePlace | undefined,
) => ReturnType<ContextDeps['sessions']['readMessages']>;

/** True when it stopped short of messages that would have been of use. */
async function fill(window: ContextWindow, readBefore: ReadBefore): Promise<boolean> {
  let before: MessagePlace | undefined;
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += PAGE_SIZE) {
    const page = await readBefore(before);
    for (const message of page.toReversed()) if (!window.add(message)) return false;
    const [oldest] = page;
    if (!oldest || page.length < PAGE_SIZE) return false;
    before = { exchange: oldest.exchange, position: oldest.position };
  }
  return true;
}

function toLead(summary: RunningSummary, maxChars: number): Message[] {
  const text = summary.count === 0 ? '' : cutText(renderSummary(summary), maxChars);
  return text === '' ? [] : [{ role: 'user', text }];
}

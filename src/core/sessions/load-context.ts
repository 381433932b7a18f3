import type { Message } from '../loop/model.ts';
import type { Run } from '../runs/run.ts';
import type { ToolTrait } from '../tools/tool.ts';
import { type ContextLimits, maxRunningSummaryChars } from './context-limits.ts';
import { createContextWindow } from './context-window.ts';
import { cutText } from './cut-text.ts';
import {
  EMPTY_SUMMARY,
  foldSummary,
  GAP,
  parseSummary,
  type RunningSummary,
  renderSummary,
} from './running-summary.ts';
import type { SessionStore, SessionSummary } from './session-store.ts';
import { walkBack } from './walk-back.ts';

/** What a run knows of its conversation before its own message. */
export interface SessionContext {
  readonly messages: readonly Message[];
  /** What earlier calls brought into the conversation is in this run's context too. */
  readonly exposure: readonly ToolTrait[];
  /** What stands for the messages before those; undefined when none are left out. */
  readonly summary: SessionSummary | undefined;
}

export interface ContextDeps {
  readonly sessions: Pick<SessionStore, 'readMessages' | 'findSummary' | 'saveSummary'>;
  /** Asked for each run, so that a changed configuration counts at once. */
  readonly context: () => ContextLimits;
}

const NO_CONTEXT: SessionContext = { messages: [], exposure: [], summary: undefined };

/** More messages than one run with every limit at its default can add. */
const MAX_LOOKED_AT = 2_000;

/**
 * The conversation up to this run within its bounds: a running summary, then the messages behind it, as many of the
 * newest as fit. It comes out the same after a crash, unless somebody compacted the session in between, or a thread has
 * several open runs: what an earlier one has said since is then known too.
 */
export async function loadContext(
  deps: ContextDeps,
  { sessionId, exchange }: Pick<Run, 'sessionId' | 'exchange'>,
): Promise<SessionContext> {
  if (sessionId === undefined || exchange === undefined) return NO_CONTEXT;
  const limits = deps.context();
  const stored = await deps.sessions.findSummary(sessionId);
  const window = createContextWindow(limits, stored?.through);
  const hasGap = await walkBack(
    deps.sessions,
    { sessionId, before: { exchange, position: 0 }, maxMessages: MAX_LOOKED_AT },
    (message) => window.add(message),
  );
  const { messages, dropped, exposure } = window.close();
  const maxChars = maxRunningSummaryChars(limits);
  const digests = dropped.map(({ digest }) => digest);
  const known = stored ? parseSummary(stored.text) : EMPTY_SUMMARY;
  const summary = foldSummary(known, hasGap ? [GAP, ...digests] : digests, maxChars);
  const through = dropped.at(-1)?.place;
  const shortened = through && { text: renderSummary(summary), through };
  if (shortened) await deps.sessions.saveSummary(sessionId, shortened);
  return {
    messages: [...toLead(summary, maxChars), ...messages],
    exposure: [...new Set([...summary.exposure, ...exposure])],
    summary: shortened ?? stored,
  };
}

function toLead(summary: RunningSummary, maxChars: number): Message[] {
  const text = summary.count === 0 ? '' : cutText(renderSummary(summary), maxChars);
  return text === '' ? [] : [{ role: 'user', text }];
}

import { type ContextLimits, maxRunningSummaryChars } from './context-limits.ts';
import {
  type Digest,
  digestMessage,
  foldSummary,
  GAP,
  parseSummary,
  renderSummary,
} from './running-summary.ts';
import { isBehind, type MessagePlace, type Session, type SessionMessage } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { walkBack } from './walk-back.ts';

export interface CompactDeps {
  readonly store: Pick<SessionStore, 'readMessages' | 'findSummary' | 'saveSummary'>;
  readonly context: () => ContextLimits;
}

export interface CompactedSession {
  readonly session: Session;
  /** How many messages were folded into the summary by this call. */
  readonly messages: number;
  /** What stands for them and for all before them; empty when nothing was said yet. */
  readonly summary: string;
}

/** Twice what one run may look at: what its context held of older messages, and all that it said itself. */
export const MAX_FOLDED = 4_000;

/**
 * Folds every message of the exchanges that have ended into the running summary. Later runs hear the summary in their
 * place; they stay readable. Exchanges count only as far as they stand before the first that still goes on: behind a
 * summary that passed it by, nobody would hear what it says next.
 */
export async function compactSession(
  { store, context }: CompactDeps,
  session: Session,
): Promise<CompactedSession> {
  const { id: sessionId } = session;
  const stored = await store.findSummary(sessionId);
  const ended = createEndedMessages(stored?.through);
  const hasGap = await walkBack(store, { sessionId, maxMessages: MAX_FOLDED }, ended.add);
  const [last] = ended.found;
  if (!last) return { session, messages: 0, summary: stored?.text ?? '' };
  const digests = ended.found.map(({ digest }) => digest).reverse();
  const summary = foldSummary(
    parseSummary(stored?.text ?? ''),
    hasGap ? [GAP, ...digests] : digests,
    maxRunningSummaryChars(context()),
  );
  const text = renderSummary(summary);
  await store.saveSummary(sessionId, { text, through: last.place });
  return { session, messages: digests.length, summary: text };
}

interface EndedMessage {
  readonly place: MessagePlace;
  readonly digest: Digest;
}

/** Is shown messages from the newest back, and keeps those that may be folded. */
function createEndedMessages(summarised: MessagePlace | undefined) {
  /** Newest first. */
  const found: EndedMessage[] = [];
  let exchange: number | undefined;
  let isOpen = false;
  return {
    found,
    add(message: SessionMessage): boolean {
      if (summarised && !isBehind(message, summarised)) return false;
      if (message.exchange !== exchange) {
        exchange = message.exchange;
        isOpen = !isLastWord(message);
        // What stands behind it was cancelled before its turn came.
        if (isOpen) found.length = 0;
      }
      if (!isOpen) {
        const place = { exchange, position: message.position };
        found.push({ place, digest: digestMessage(message) });
      }
      return true;
    },
  };
}

/** A run's end is stored with the assistant's message, however it ended; what no run said is whole from the start. */
function isLastWord({ runId, role }: SessionMessage): boolean {
  return runId === undefined || role === 'assistant';
}

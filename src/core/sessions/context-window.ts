import type { Message } from '../loop/model.ts';
import type { ToolTrait } from '../tools/tool.ts';
import { type ContextLimits, maxRunningSummaryChars } from './context-limits.ts';
import { type Replay, replayMessage } from './replay-message.ts';
import { type Digest, digestMessage } from './running-summary.ts';
import { isBehind, type MessagePlace, type SessionMessage } from './session.ts';

/** The most messages that are replayed, however short they are. */
const MAX_REPLAYED = 200;

/** The newest end of a conversation, as much of it as fits. It is fed from the newest message backwards. */
export interface ContextWindow {
  /** False: nothing older is of any use. */
  add(message: SessionMessage): boolean;
  close(): FilledWindow;
}

interface FilledWindow {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** What did not fit, oldest first. */
  readonly dropped: readonly Dropped[];
  /** Traits of the calls among them all. Those of older calls are in the summary. */
  readonly exposure: readonly ToolTrait[];
}

interface Dropped {
  readonly place: MessagePlace;
  readonly digest: Digest;
}

interface Candidate extends Dropped {
  readonly replay: Replay;
}

/**
 * `summarised` is the last message that the running summary speaks of. It and all before it are told by the summary
 * alone: somebody may have wanted it so.
 */
export function createContextWindow(
  limits: ContextLimits,
  summarised: MessagePlace | undefined,
): ContextWindow {
  const candidates: Candidate[] = [];
  const dropped: Dropped[] = [];
  let chars = 0;
  let isFull = false;

  return {
    add(message) {
      if (summarised && !isBehind(message, summarised)) return false;
      const replay = isFull ? undefined : replayMessage(message, limits);
      if (!isFull && replay === undefined) return true;
      const place = { exchange: message.exchange, position: message.position };
      const digest = digestMessage(message);
      if (replay && fits(replay)) {
        chars += replay.chars;
        candidates.push({ replay, place, digest });
      } else {
        isFull = true;
        dropped.push({ place, digest });
      }
      return true;
    },

    close() {
      const isShortened = summarised !== undefined || dropped.length > 0;
      const reserved = isShortened ? maxRunningSummaryChars(limits) : 0;
      const kept = countKept(candidates, limits.maxContextChars - reserved);
      const rest = [...candidates.slice(kept), ...dropped];
      return {
        messages: withUniqueCallIds(candidates.slice(0, kept).reverse()),
        dropped: rest.map(({ place, digest }) => ({ place, digest })).reverse(),
        exposure: [...candidates, ...dropped].flatMap(({ digest }) => digest.exposure),
      };
    },
  };

  function fits(replay: Replay): boolean {
    if (candidates.length === MAX_REPLAYED) return false;
    return chars + replay.chars <= limits.maxContextChars;
  }
}

/** Candidates come newest first. The oldest go first, and nothing is kept behind a gap. */
function countKept(candidates: readonly Candidate[], maxChars: number): number {
  let chars = 0;
  for (const [index, { replay }] of candidates.entries()) {
    chars += replay.chars;
    if (chars > maxChars) return index;
  }
  return candidates.length;
}

/** Runs number their calls alike, and a provider that finds an id twice refuses the whole conversation. */
function withUniqueCallIds(candidates: readonly Candidate[]): Message[] {
  const seen = new Set<string>();
  return candidates.flatMap(({ replay }) => {
    const [call, result] = replay.messages;
    if (call?.role !== 'assistant' || result?.role !== 'tool') return replay.messages;
    let { callId } = result;
    for (let copy = 2; seen.has(callId); copy += 1) callId = `${result.callId}-${copy}`;
    seen.add(callId);
    if (callId === result.callId) return replay.messages;
    const toolCalls = call.toolCalls.map((request) => ({ ...request, callId }));
    return [
      { ...call, toolCalls },
      { ...result, callId },
    ];
  });
}

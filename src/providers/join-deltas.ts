/** Takes a stream of server-sent events as it arrives; answers with the same stream in fewer events. */
export interface DeltaJoiner {
  join(arrived: string): string;
  /** What is left when the stream has ended. */
  end(): string;
}

/** No event of a provider is longer; what is, passes as it comes. */
const MAX_EVENT_CHARS = 1_000_000;
const EVENT_END = '\n\n';
/**
 * A delta up to its words and from their end on, in OpenAI's format and in Anthropic's. Beside them it holds nothing that
 * is more each time it is told, such as a call. Within a string its quotes would be escaped.
 */
const BEFORE =
  /"delta": ?\{(?:"(?:role": ?"assistant"|type": ?"text_delta"|\w+": ?null), ?)*"(?:content|text)": ?"/;
const AFTER = /^"(?:, ?"(?:role": ?"assistant"|\w+": ?null))*\}/;
const MORE_THAN_WORDS = /"delta"|"logprobs": ?[[{]/;
const STRING = /(?:[^"\\]|\\.)*/y;
const WHOLE_STRING = /^(?:[^"\\]|\\.)*$/;

/** An event with its words apart, as JSON writes them. */
interface Delta {
  readonly before: string;
  words: string;
  readonly after: string;
}

/**
 * Makes one event of deltas that arrived together and differ in nothing but their words. Providers send an event for each
 * token, and each costs its way through the SDK, some 25 µs: a hundred fast answers at once would need two
 * processors for that alone. The busier the process, the more arrives together. Everything else stays as it is.
 */
export function createDeltaJoiner(): DeltaJoiner {
  let held = '';
  let isOff = false;

  function turnOff(text: string): string {
    isOff = true;
    held = '';
    return text;
  }

  return {
    join(arrived) {
      if (isOff) return arrived;
      const text = held + arrived;
      // Other line ends are allowed, and nobody sends them.
      if (text.includes('\r')) return turnOff(text);
      const end = text.lastIndexOf(EVENT_END);
      held = end === -1 ? text : text.slice(end + EVENT_END.length);
      if (held.length > MAX_EVENT_CHARS) return turnOff(text);
      return end === -1 ? '' : joinEvents(text.slice(0, end).split(EVENT_END));
    },
    end: () => turnOff(held),
  };
}

function joinEvents(events: readonly string[]): string {
  let joined = '';
  let last: Delta | undefined;
  for (const event of events) {
    const more = last && findWords(last, event);
    if (last && more !== undefined) {
      last.words += more;
      continue;
    }
    if (last) joined += toEvent(last);
    last = parseDelta(event);
    if (!last) joined += event + EVENT_END;
  }
  return last ? joined + toEvent(last) : joined;
}

function toEvent({ before, words, after }: Delta): string {
  return before + words + after + EVENT_END;
}

function parseDelta(event: string): Delta | undefined {
  const lead = BEFORE.exec(event);
  if (!lead) return undefined;
  const start = lead.index + lead[0].length;
  STRING.lastIndex = start;
  const words = STRING.exec(event)?.[0] ?? '';
  const after = event.slice(start + words.length);
  if (!AFTER.test(after) || MORE_THAN_WORDS.test(after)) return undefined;
  return { before: event.slice(0, start), words, after };
}

function findWords({ before, after }: Delta, event: string): string | undefined {
  const end = event.length - after.length;
  if (end < before.length || !event.startsWith(before) || !event.endsWith(after)) return undefined;
  const words = event.slice(before.length, end);
  return WHOLE_STRING.test(words) ? words : undefined;
}

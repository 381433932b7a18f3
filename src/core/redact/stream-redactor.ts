import { createKnownSecrets, replaceIntervals } from './known-secrets.ts';
import type { KnownSecrets, Redactor } from './redact.ts';
import { CONTEXT_CHARS, MAX_OPEN_CHARS, replaceSpans, scanSecrets } from './scan-secrets.ts';

/** Redacts text that arrives in pieces, so that a secret cut in two by the pieces is still seen whole. */
export interface StreamRedactor {
  /** Takes the next piece; answers with what can be released now, which may be nothing. */
  feed(delta: string): string;
  /** The rest. The stream may be used again afterwards, for another text. */
  flush(): string;
}

/**
 * Together the pieces that come out equal `redactText` of all that went in. Held back are the last few characters,
 * and everything from the first place that more text could still turn into a secret: a value without its end, a
 * private key without its end mark. Held text is bounded; a secret that outgrows the bound is swallowed as it comes.
 */
export function createStreamRedactor(redactor: Redactor): StreamRedactor {
  const known = createKnownStage(() => redactor.knownSecrets?.() ?? NOTHING_KNOWN);
  const shapes = createShapeStage();
  return {
    feed: (delta) => shapes.feed(known.feed(delta)),
    flush: () => shapes.feed(known.flush()) + shapes.flush(),
  };
}

const NOTHING_KNOWN = createKnownSecrets([]);

/** Exact values: held back is an end of the text that some value begins with. */
function createKnownStage(knownNow: () => KnownSecrets): StreamRedactor {
  let pending = '';
  return {
    feed(delta) {
      const known = knownNow();
      if (known.isEmpty && pending === '') return delta;
      const text = pending + delta;
      const intervals = known.find(text);
      let end = known.unfinishedStart(text);
      for (const interval of intervals) {
        if (interval.start < end && interval.end > end) end = interval.start;
      }
      pending = text.slice(end);
      return replaceIntervals(text, intervals, end);
    },
    flush() {
      const text = pending;
      pending = '';
      return replaceIntervals(text, knownNow().find(text), text.length);
    },
  };
}

/** Everything that is known by its shape or by the name before it. */
function createShapeStage(): StreamRedactor {
  /** Released text that rules may look back at, then text still held. */
  let buffer = '';
  let held = 0;
  let swallow: RegExp | undefined;

  function release(final: boolean): string {
    const scan = scanSecrets(buffer, held, final);
    const text = replaceSpans(buffer, held, scan);
    const start = Math.max(0, scan.settled - CONTEXT_CHARS);
    buffer = buffer.slice(start);
    held = scan.settled - start;
    return text;
  }

  /** Decides on what is there. A secret that reaches the end goes on in the next pieces, and is swallowed there. */
  function overflow(): string {
    const last = scanSecrets(buffer, held, true).spans.at(-1);
    if (last !== undefined && last.end === buffer.length) swallow = last.tail;
    return release(true);
  }

  function skipSwallowed(delta: string): string {
    if (swallow === undefined) return delta;
    swallow.lastIndex = 0;
    const length = swallow.exec(delta)?.[0].length ?? 0;
    if (length < delta.length) swallow = undefined;
    return delta.slice(length);
  }

  return {
    feed(delta) {
      const fresh = skipSwallowed(delta);
      if (fresh === '') return '';
      buffer += fresh;
      const text = release(false);
      return buffer.length - held > MAX_OPEN_CHARS ? text + overflow() : text;
    },
    flush() {
      const text = release(true);
      buffer = '';
      held = 0;
      swallow = undefined;
      return text;
    },
  };
}

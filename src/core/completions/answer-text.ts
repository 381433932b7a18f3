import { RuntimeError } from '../errors.ts';

/** Between what a model says before its calls and what it says after them. */
const SEPARATOR = '\n\n';

/**
 * `seen`: the reader had it in an earlier stream. `held`: more is on record, which may void it. `live`: it goes to the
 * reader as it comes.
 */
export type Telling = 'seen' | 'held' | 'live';

/**
 * The text of an answer for one reader. A turn that is asked again, by a retry or after a crash, says its text anew:
 * as long as that is what the reader has already, it is not told twice.
 */
export interface AnswerText {
  /** A model is asked. With `isHeld`, what it says counts when the turn is over and not before. */
  ask(turn: number, telling: Telling, isHeld: boolean): void;
  /** What is new to the reader. Throws `conflict` when it has text that no longer counts. */
  say(delta: string, telling: Telling): string;
  /** The turn is over: this was its text. */
  complete(text: string, telling: Telling): string;
  /** All that is on record was told: what is held goes to the reader. */
  release(): string;
  /** Of all turns that are over. */
  whole(): string;
}

export function createAnswerText(): AnswerText {
  const turns: string[] = [];
  let turn = 0;
  /** What the reader has of this turn. */
  let shown = '';
  /** How much of that the present attempt has said. */
  let said = 0;
  let held = '';
  let isHeld = false;

  function lead(fresh: string): string {
    const isFirst = shown === '' && fresh !== '' && turns.length > 0;
    shown += fresh;
    return isFirst ? SEPARATOR + fresh : fresh;
  }

  function tell(delta: string): string {
    const known = shown.slice(said, said + delta.length);
    if (!delta.startsWith(known)) throw begunAnew();
    said += delta.length;
    return lead(delta.slice(known.length));
  }

  return {
    ask(next, telling, holds) {
      // A reader that went on after a restart has the text of the new attempt, and nothing of the one before.
      if (next !== turn || telling === 'seen') shown = '';
      turn = next;
      said = 0;
      held = '';
      isHeld = holds;
    },

    say(delta, telling) {
      if (!isHeld && telling !== 'held') return tell(delta);
      held += delta;
      return '';
    },

    complete(text, telling) {
      held = '';
      // A model that was thought to call tools by itself may have written a call, which the text is without.
      const isShorter = shown.startsWith(text);
      if (!isShorter && !text.startsWith(shown) && telling !== 'seen') throw begunAnew();
      const fresh = lead(isShorter ? '' : text.slice(shown.length));
      if (text !== '') turns.push(text);
      return fresh;
    },

    release() {
      if (isHeld || held === '') return '';
      const text = held;
      held = '';
      return tell(text);
    },

    whole: () => turns.join(SEPARATOR),
  };
}

function begunAnew(): RuntimeError {
  return new RuntimeError(
    'conflict',
    'the model began its answer anew and says something else: send the call again, with its Idempotency-Key and without Last-Event-ID',
  );
}

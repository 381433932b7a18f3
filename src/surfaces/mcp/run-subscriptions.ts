import { RuntimeError } from '../../core/errors.ts';
import type { NewsEvent } from '../../core/events/event.ts';
import type { Logger } from '../../core/log.ts';
import { watchRun } from '../../core/runs/await-run.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { takeTurn } from '../../core/take-turn.ts';
import { parseRunUri } from './run-resources.ts';

/** The runs that one client wants to hear of. */
export interface RunSubscriptions {
  /** Again changes nothing. Throws `not_found`, and `limit_reached` when it follows as many as it may. */
  add(uri: string): Promise<void>;
  remove(uri: string): void;
  /** While nobody listens nothing is followed; who listens again is told of every run, since any may have moved on. */
  setListening(isListening: boolean): void;
  close(): void;
}

export interface RunSubscriptionsDeps {
  readonly runs: Pick<Runs, 'get' | 'tail'>;
  readonly logger: Logger;
  readonly max: number;
  readonly notify: (uri: string) => void;
}

/** What one client may follow at once. Runs that have ended do not count. */
export const MAX_FOLLOWED = 64;

export function createRunSubscriptions(
  deps: RunSubscriptionsDeps,
  { isListening: startsListening }: { readonly isListening: boolean },
): RunSubscriptions {
  /** Undefined while nobody listens. */
  const watches = new Map<string, AbortController | undefined>();
  let isListening = startsListening;

  function watch(uri: string): void {
    const stop = new AbortController();
    watches.set(uri, stop);
    follow(deps, uri, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) deps.logger.warn({ err: error, uri }, 'a run is not followed');
      })
      .finally(() => {
        // It has ended and will not move on any more: there is room for another.
        if (watches.get(uri) === stop) watches.delete(uri);
      });
  }

  function unwatch(uri: string): void {
    watches.get(uri)?.abort();
  }

  return {
    async add(uri) {
      await deps.runs.get(parseRunUri(uri));
      if (watches.has(uri)) return;
      if (watches.size >= deps.max) {
        throw new RuntimeError(
          'limit_reached',
          `no more than ${deps.max} runs can be followed at once; leave one of them first`,
        );
      }
      if (isListening) watch(uri);
      else watches.set(uri, undefined);
    },

    remove(uri) {
      unwatch(uri);
      watches.delete(uri);
    },

    setListening(wanted) {
      if (wanted === isListening) return;
      isListening = wanted;
      for (const uri of [...watches.keys()]) {
        if (wanted) {
          deps.notify(uri);
          watch(uri);
        } else {
          unwatch(uri);
          watches.set(uri, undefined);
        }
      }
    },

    close() {
      for (const uri of watches.keys()) unwatch(uri);
      watches.clear();
    },
  };
}

async function follow(
  { runs, notify }: RunSubscriptionsDeps,
  uri: string,
  signal: AbortSignal,
): Promise<void> {
  // Who asked is let in by then; what is told before reaches nobody.
  const letIn = takeTurn();
  const tell = () => void letIn.then(() => signal.aborted || notify(uri));
  let toldSeq = 0;
  const ended = await watchRun(runs, {
    runId: parseRunUri(uri),
    signal,
    onEvents(events) {
      toldSeq = events.at(-1)?.seq ?? toldSeq;
      if (events.some(isMove)) tell();
    },
  });
  // It had ended before, perhaps since its reader looked at it.
  if (toldSeq < ended.lastSeq) tell();
}

/** The text of an answer under way is no part of the resource. */
function isMove({ type }: NewsEvent): boolean {
  return type !== 'model.delta';
}

import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject, type JsonValue } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { createRunSubscriptions, MAX_FOLLOWED } from './run-subscriptions.ts';

/** Streams that clients of the 2026 protocol open with `subscriptions/listen`, with the runs that each names. */
export interface ListenStreams {
  /** Throws `not_found` and `limit_reached`, and follows nothing then. Returns what ends it. */
  open(uris: readonly string[]): Promise<() => void>;
  close(): void;
}

export interface ListenStreamsDeps {
  readonly runs: Pick<Runs, 'get' | 'tail'>;
  readonly logger: Logger;
  /** Reaches every stream that names the run. */
  readonly notify: (uri: string) => void;
}

/** Streams that may be open at once. */
export const MAX_STREAMS = 64;

/** A run is followed once, however many streams name it. */
export function createListenStreams(deps: ListenStreamsDeps): ListenStreams {
  const max = MAX_STREAMS * MAX_FOLLOWED;
  const subscriptions = createRunSubscriptions({ ...deps, max }, { isListening: true });
  const readers = new Map<string, number>();

  function release(uris: readonly string[]): void {
    for (const uri of uris) {
      const left = (readers.get(uri) ?? 0) - 1;
      if (left > 0) readers.set(uri, left);
      else {
        readers.delete(uri);
        subscriptions.remove(uri);
      }
    }
  }

  return {
    async open(named) {
      const uris = [...new Set(named)];
      if (uris.length > MAX_FOLLOWED) {
        throw new RuntimeError(
          'limit_reached',
          `no more than ${MAX_FOLLOWED} runs can be followed at once; name fewer of them`,
        );
      }
      const held: string[] = [];
      const end = () => release(held.splice(0));
      try {
        for (const uri of uris) {
          held.push(uri);
          readers.set(uri, (readers.get(uri) ?? 0) + 1);
          await subscriptions.add(uri);
        }
      } catch (thrown) {
        end();
        throw thrown;
      }
      return end;
    },

    close: () => subscriptions.close(),
  };
}

/** Undefined for every message but a request to listen for runs. What it must look like the SDK checks. */
export function findListenedUris(message: unknown): readonly string[] | undefined {
  const request = message as JsonValue;
  if (!isJsonObject(request) || request['method'] !== 'subscriptions/listen') return undefined;
  const params = request['params'];
  const wanted = isJsonObject(params) ? params['notifications'] : undefined;
  const uris = isJsonObject(wanted) ? wanted['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris) || uris.length === 0) return undefined;
  return uris.filter((uri) => typeof uri === 'string');
}

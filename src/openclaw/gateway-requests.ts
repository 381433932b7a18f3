import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { ConnectionLost } from './connection-fault.ts';
import { describeError } from './gateway-handshake.ts';
import { countOf, objectOf, textOf } from './wire.ts';

/** The gateway answered, and said no. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: string;
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly details: JsonObject;

  constructor(error: JsonObject) {
    super(describeError(error));
    this.code = textOf(error['code']) ?? 'UNKNOWN';
    this.isRetryable = error['retryable'] === true;
    this.retryAfterMs = countOf(error['retryAfterMs']);
    this.details = error;
  }
}

export interface RequestOptions {
  readonly timeoutMs?: number;
  /** Told of an answer that says the work has begun; the one that counts comes when it has ended. */
  readonly onAccepted?: (payload: JsonObject) => void;
}

/** Questions that wait for their answers on one connection. */
export interface GatewayRequests {
  /** Throws `GatewayError`, and `ConnectionLost` when there is no answer. */
  send(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  take(frame: JsonObject): void;
  /** Nothing will be answered any more. */
  fail(lost: ConnectionLost): void;
}

export interface GatewayRequestsDeps {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly sendFrame: (frame: JsonObject) => void;
}

interface Pending {
  readonly resolve: (payload: JsonObject) => void;
  readonly reject: (thrown: unknown) => void;
  readonly onAccepted: RequestOptions['onAccepted'];
  stopTimer: () => void;
}

/** More than runs execute at once by default, each with a question or two. */
const MAX_PENDING = 256;

export function createGatewayRequests(deps: GatewayRequestsDeps): GatewayRequests {
  const pending = new Map<string, Pending>();
  let count = 0;

  function take(id: string): Pending | undefined {
    const found = pending.get(id);
    pending.delete(id);
    found?.stopTimer();
    return found;
  }

  return {
    send(method, params, { timeoutMs = deps.timeoutMs, onAccepted } = {}) {
      if (pending.size >= MAX_PENDING) {
        return Promise.reject(tooMany());
      }
      count += 1;
      const id = `p${count}`;
      return new Promise((resolve, reject) => {
        const stopTimer = deps.clock.after(timeoutMs, () => {
          const message = `${method} was not answered within ${timeoutMs} ms`;
          take(id)?.reject(new ConnectionLost('no_answer', message));
        });
        pending.set(id, { resolve, reject, onAccepted, stopTimer });
        try {
          deps.sendFrame({ type: 'req', id, method, params });
        } catch (thrown) {
          take(id)?.reject(thrown);
        }
      });
    },

    take(frame) {
      const id = textOf(frame['id']) ?? '';
      const payload = objectOf(frame['payload']);
      const waiting = pending.get(id);
      if (frame['ok'] === true && payload['status'] === 'accepted' && waiting?.onAccepted) {
        waiting.stopTimer();
        waiting.onAccepted(payload);
      } else if (frame['ok'] === true) take(id)?.resolve(payload);
      else take(id)?.reject(new GatewayError(objectOf(frame['error'])));
    },

    fail(lost) {
      for (const id of [...pending.keys()]) take(id)?.reject(lost);
    },
  };
}

function tooMany(): RuntimeError {
  return new RuntimeError(
    'provider_failed',
    `${MAX_PENDING} questions wait for an answer of OpenClaw already`,
    { details: { unreachable: true } },
  );
}

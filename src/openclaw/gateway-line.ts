import type { Clock } from '../core/clock.ts';
import type { JsonObject } from '../core/json.ts';
import type { GatewayRequests } from './gateway-requests.ts';

/** What a question needs of its connection. */
export interface GatewayLine {
  readonly clock: Clock;
  readonly maxPayloadBytes: number;
  readonly closed: Promise<unknown>;
  send: GatewayRequests['send'];
  /** Brings the events of an agent's run there, by its id. */
  follow(key: string, take: (event: JsonObject) => void): () => void;
}

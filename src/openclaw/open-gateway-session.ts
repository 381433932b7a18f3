import type { Clock } from '../core/clock.ts';
import type { JsonObject } from '../core/json.ts';
import { askGateway } from './ask-gateway.ts';
import { ConnectionLost } from './connection-fault.ts';
import {
  encodeConnect,
  type Hello,
  parseChallenge,
  parseHello,
  toConnectFault,
} from './gateway-handshake.ts';
import type { GatewayLine } from './gateway-line.ts';
import { createGatewayRequests, GatewayError } from './gateway-requests.ts';
import { openSocket, type Socket } from './open-socket.ts';
import type { Session, SessionRequest } from './session.ts';
import { objectOf, textOf } from './wire.ts';

export interface GatewayDeps {
  readonly clock: Clock;
  /** Of this program, for the gateway's list of who is connected. */
  readonly version: string;
}

const UNANSWERED = 4000;

/** A session in the gateway's own protocol: its challenge, our `connect`, its hello. */
export async function openGatewaySession(
  deps: GatewayDeps,
  request: SessionRequest,
): Promise<Session> {
  const { clock } = deps;
  const followers = new Map<string, (event: JsonObject) => void>();
  const challenge = createChallengeWait();

  // Before the socket: a frame may come together with the upgrade.
  const requests = createGatewayRequests({
    clock,
    timeoutMs: request.requestTimeoutMs,
    sendFrame: (frame) => socket.send(frame),
  });
  const socket = await openSocket({
    ...{ url: request.url, headers: {}, clock },
    timeoutMs: request.connectTimeoutMs,
    onFrame(frame) {
      if (frame['type'] === 'res') return requests.take(frame);
      if (frame['type'] !== 'event') return;
      const payload = objectOf(frame['payload']);
      if (frame['event'] === 'connect.challenge') return challenge.resolve(payload);
      if (frame['event'] !== 'agent') return;
      const follow = followers.get(textOf(payload['runId']) ?? '');
      if (follow) follow(payload);
      else request.onUnclaimed();
    },
  });
  void socket.closed.then(({ code, reason }) => {
    const lost = new ConnectionLost('closed', describeEnd(code, reason));
    challenge.reject(lost);
    requests.fail(lost);
  });
  const stopTimer = clock.after(request.connectTimeoutMs, () => {
    const message = `it sent no challenge within ${request.connectTimeoutMs} ms`;
    challenge.reject(new ConnectionLost('no_challenge', message));
  });
  const hello = await greet(challenge.promise).catch((thrown: unknown) => {
    socket.close(1000, 'no use');
    throw thrown;
  });
  socket.watchSilence(hello.tickIntervalMs, 'frames');
  const line: GatewayLine = {
    clock,
    closed: socket.closed,
    maxPayloadBytes: hello.maxPayloadBytes,
    send: (method, params, options) => requests.send(method, params, options),
    follow(key, take) {
      followers.set(key, take);
      return () => followers.delete(key);
    },
  };
  return toSession(socket, hello, line);

  async function greet(challenged: Promise<JsonObject>): Promise<Hello> {
    const { identity, credentials, url, connectTimeoutMs: timeoutMs } = request;
    try {
      const parts = { identity, credentials, version: deps.version };
      const params = encodeConnect({ ...parts, challenge: parseChallenge(await challenged) });
      const answered = parseHello(await requests.send('connect', params, { timeoutMs }));
      const { deviceToken } = answered;
      if (deviceToken !== undefined) await identity.rememberToken(url, deviceToken);
      return answered;
    } catch (thrown) {
      throw thrown instanceof GatewayError ? toConnectFault(thrown.details) : thrown;
    } finally {
      stopTimer();
    }
  }
}

interface ChallengeWait {
  readonly promise: Promise<JsonObject>;
  resolve(payload: JsonObject): void;
  reject(lost: ConnectionLost): void;
}

function createChallengeWait(): ChallengeWait {
  let settle: Omit<ChallengeWait, 'promise'> = { resolve: () => {}, reject: () => {} };
  const promise = new Promise<JsonObject>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Whoever waits for it may have been told already why there is none.
  promise.catch(() => {});
  return { promise, ...settle };
}

function toSession(socket: Socket, hello: Hello, line: GatewayLine): Session {
  const { version, protocol, scopes } = hello;
  return {
    facts: { version, protocol, scopes },
    closed: socket.closed,
    close: () => socket.close(1000, 'done'),
    async *ask(question, asking) {
      try {
        yield* askGateway(line, question, asking);
      } catch (thrown) {
        // It ticks and does not answer: another connection may do better.
        if (thrown instanceof ConnectionLost && thrown.code === 'no_answer') {
          socket.close(UNANSWERED, 'no answer');
        }
        throw thrown;
      }
    },
  };
}

function describeEnd(code: number, reason: string): string {
  return reason === '' ? `the connection was closed (${code})` : `${reason} (${code})`;
}

import { type ClientOptions, type RawData, WebSocket } from 'ws';
import type { Clock } from '../core/clock.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { ConnectionLost, ConnectionRefused, NOT_SENT } from './connection-fault.ts';
import { createFloodGauge } from './flood-gauge.ts';

/** A WebSocket that carries JSON objects, one per text frame. Everything else that comes is passed over. */
export interface Socket {
  /** Throws `ConnectionLost` when it is closed, or when the other side does not take what was sent before. */
  send(frame: JsonObject): void;
  close(code: number, reason: string): void;
  /** Resolves once. */
  readonly closed: Promise<SocketEnd>;
  /** From now on the connection is lost when nothing was heard for two intervals. */
  watchSilence(intervalMs: number, by: 'frames' | 'pongs'): void;
}

export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
}

export interface SocketRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly onFrame: (frame: JsonObject) => void;
}

/** A history with long messages fits; more than that at once is nothing that we asked for. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** Waits to be taken by the other side. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
const MAX_REASON_CHARS = 200;

/** Codes of our own, where the protocol of WebSockets has none. */
const SILENT = 4000;
const FLOOD = 4008;

export function openSocket(request: SocketRequest): Promise<Socket> {
  const { url, clock, timeoutMs, headers } = request;
  const options: ClientOptions = {
    handshakeTimeout: timeoutMs,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    headers: { ...headers },
  };
  const ws = new WebSocket(url, options);
  const gauge = createFloodGauge(() => clock.nowMs());
  let lastHeardMs = clock.nowMs();
  let fault: SocketEnd | undefined;
  let stopWatching = () => {};

  function breakOff(end: SocketEnd): void {
    fault ??= end;
    // A closing handshake would be one more thing to wait for from somebody who does not behave.
    ws.terminate();
  }

  ws.on('message', (data: RawData, isBinary: boolean) => {
    if (fault) return;
    lastHeardMs = clock.nowMs();
    const bytes = sizeOf(data);
    const excess = gauge.count(bytes);
    if (excess !== undefined) return breakOff({ code: FLOOD, reason: excess });
    const frame = isBinary ? undefined : parseFrame(data);
    if (frame) request.onFrame(frame);
  });

  const closed = new Promise<SocketEnd>((resolve) => {
    ws.once('close', (code, reason) => {
      stopWatching();
      resolve(fault ?? { code, reason: reason.toString('utf8').slice(0, MAX_REASON_CHARS) });
    });
  });

  const socket: Socket = {
    closed,
    send(frame) {
      if (ws.readyState !== WebSocket.OPEN) {
        throw new ConnectionLost(NOT_SENT, 'the connection is closed');
      }
      if (ws.bufferedAmount > MAX_BUFFERED_BYTES) {
        breakOff({ code: FLOOD, reason: 'it does not take what is sent to it' });
        throw new ConnectionLost(NOT_SENT, 'the other side does not take what is sent to it');
      }
      ws.send(JSON.stringify(frame));
    },
    close(code, reason) {
      ws.close(code, reason);
      // It may never answer the close.
      const stop = clock.after(CLOSE_GRACE_MS, () => ws.terminate());
      void closed.then(stop);
    },
    watchSilence(intervalMs, by) {
      stopWatching();
      const onPong = () => {
        if (by === 'pongs') lastHeardMs = clock.nowMs();
      };
      ws.on('pong', onPong);
      lastHeardMs = clock.nowMs();
      const stop = every(clock, intervalMs, () => {
        if (clock.nowMs() - lastHeardMs > 2 * intervalMs) {
          breakOff({ code: SILENT, reason: `it was silent for ${2 * intervalMs} ms` });
        } else if (by === 'pongs') ws.ping();
      });
      stopWatching = () => {
        ws.off('pong', onPong);
        stop();
      };
    },
  };

  return new Promise((resolve, reject) => {
    ws.once('open', () => resolve(socket));
    ws.on('error', (error) => {
      fault ??= { code: 1006, reason: describe(error) };
      reject(toOpeningFault(error));
    });
  });
}

/** A gateway, or a proxy before it, that knows who asks and says no does not change its mind by itself. */
function toOpeningFault(error: Error): Error {
  const status = /^Unexpected server response: (401|403)$/.exec(error.message)?.[1];
  if (status === undefined) return new ConnectionLost('unreachable', describe(error));
  const action =
    "set OPENCLAW_GATEWAY_TOKEN, or the secret openclaw/token, to the gateway's token, then: claw openclaw connect";
  return new ConnectionRefused(`http_${status}`, describe(error), action);
}

const CLOSE_GRACE_MS = 1_000;

function every(clock: Clock, intervalMs: number, work: () => void): () => void {
  let stop = clock.after(intervalMs, again);
  function again(): void {
    stop = clock.after(intervalMs, again);
    work();
  }
  return () => stop();
}

function sizeOf(data: RawData): number {
  return Array.isArray(data)
    ? data.reduce((sum, part) => sum + part.byteLength, 0)
    : data.byteLength;
}

function parseFrame(data: RawData): JsonObject | undefined {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
  try {
    const frame: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

/** `connect ECONNREFUSED 127.0.0.1:18789`: what Node says of addresses and statuses holds no secret. */
function describe(error: Error): string {
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return text.slice(0, MAX_REASON_CHARS);
}

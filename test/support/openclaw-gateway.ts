import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Ask {
  readonly key: string;
  readonly message: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly system: string | undefined;
}

export interface GatewayScript {
  readonly token?: string;
  readonly port?: number;
  /** How often it says that it ticks. */
  readonly tickMs?: number;
  readonly ticks?: boolean;
  /** Instead of a proper challenge. */
  readonly challenge?: 'none' | 'without_nonce' | 'other_nonce';
  /** Methods that are never answered. */
  readonly mute?: readonly string[];
  /** Right after the greeting. */
  readonly onGreeted?: (socket: WebSocket) => void;
  /** What `connect` is answered with instead of a greeting. */
  readonly connectError?: object;
  /** What the agent does: events on the way, then its answer. Thrown errors become its failure. */
  readonly work?: (ask: Ask, run: RunOfAgent) => Promise<string> | string;
}

export interface RunOfAgent {
  emit(stream: string, data: object): void;
  readonly signal: AbortSignal;
}

interface StoredRun {
  readonly ask: Ask;
  readonly control: AbortController;
  readonly ended: Promise<RunEnd>;
  end?: RunEnd;
}

interface RunEnd {
  readonly status: 'ok' | 'error';
  readonly text?: string;
  readonly error?: string;
}

const USAGE = { input: 100, output: 20, cacheRead: 50, cacheWrite: 0, cost: { total: 0.0025 } };

/** A gateway on the loopback that speaks OpenClaw's protocol as the published one does, as far as a bridge needs it. */
export async function startGateway(script: GatewayScript = {}): Promise<TestGateway> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: script.port ?? 0 });
  await once(server, 'listening');
  return new TestGateway(server, script);
}

type Params = Readonly<Record<string, string>>;
type Reply = (payload: object) => void;

export class TestGateway {
  readonly url: string;
  /** Every message that reached an agent, in order. */
  readonly asked: Ask[] = [];
  readonly aborted: string[] = [];
  /** Connections that were greeted. */
  greetings = 0;
  /** Connections at all. */
  attempts = 0;
  readonly #server: WebSocketServer;
  readonly #script: GatewayScript;
  readonly #runs = new Map<string, StoredRun>();

  constructor(server: WebSocketServer, script: GatewayScript) {
    this.#server = server;
    this.#script = script;
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (socket) => this.#meet(socket));
  }

  /** Breaks every connection. */
  drop(code = 1012, reason = 'service restart'): void {
    for (const socket of this.#server.clients) socket.close(code, reason);
  }

  async stop(): Promise<void> {
    for (const { control } of this.#runs.values()) control.abort();
    for (const socket of this.#server.clients) socket.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #meet(socket: WebSocket): void {
    const { challenge, mute, onGreeted, ticks, tickMs = TICK_MS } = this.#script;
    this.attempts += 1;
    const nonce = randomUUID();
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    const payload = { ...(challenge === 'without_nonce' ? {} : { nonce }), ts: Date.now() };
    if (challenge !== 'none') send({ type: 'event', event: 'connect.challenge', payload });
    const expected = challenge === 'other_nonce' ? randomUUID() : nonce;
    let isGreeted = false;
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data));
      const reply = (answer: object) => send({ type: 'res', id, ok: true, payload: answer });
      if (mute?.includes(method)) return;
      if (isGreeted) return this.#answer(method, params, { reply, send, id });
      const error = this.#findFault(method, params, expected);
      if (error) {
        send({ type: 'res', id, ok: false, error });
        return socket.close(1008, 'unauthorized');
      }
      isGreeted = true;
      this.greetings += 1;
      reply(toHello(params.scopes, tickMs));
      if (ticks !== false) startTicks(socket, tickMs);
      onGreeted?.(socket);
    });
  }

  #findFault(method: string, params: ConnectParams, nonce: string): object | undefined {
    const { connectError, token = 'gateway-token' } = this.#script;
    if (method !== 'connect') return fault('the first frame must be connect', 'INVALID_HANDSHAKE');
    return connectError ?? findFault(params, { token, nonce });
  }

  #answer(
    method: string,
    params: Params,
    { reply, send, id }: { reply: Reply; send: Reply; id: string },
  ): void {
    const runId = params['runId'] ?? '';
    if (method === 'agent') this.#ask(params, reply);
    else if (method === 'agent.wait') this.#wait(runId, Number(params['timeoutMs']), reply);
    else if (method === 'chat.history') reply(this.#tellHistory(params['sessionKey'] ?? ''));
    else if (method === 'chat.abort') {
      this.aborted.push(runId);
      this.#runs.get(runId)?.control.abort();
      reply({ ok: true, aborted: true });
    } else {
      send({ type: 'res', id, ok: false, error: fault(`unknown method: ${method}`, 'UNKNOWN') });
    }
  }

  #ask(params: Params, reply: Reply): void {
    const key = params['idempotencyKey'] ?? '';
    const known = this.#runs.get(key);
    if (known) {
      reply(known.end ? toResult(key, known.end) : { runId: key, status: 'in_flight' });
      return;
    }
    reply({ runId: key, status: 'accepted' });
    const { message = '', agentId = '', sessionKey = '', extraSystemPrompt: system } = params;
    const run = this.#begin({ key, message, agentId, sessionKey, system });
    void run.ended.then((end) => reply(toResult(key, end)));
  }

  #begin(ask: Ask): StoredRun {
    this.asked.push(ask);
    const control = new AbortController();
    let seq = 0;
    const emit = (stream: string, data: object) => {
      seq += 1;
      const payload = { runId: ask.key, seq, stream, data };
      const frame = JSON.stringify({ type: 'event', event: 'agent', payload });
      for (const socket of this.#server.clients) socket.send(frame);
    };
    const { work = () => `echo: ${ask.message}` } = this.#script;
    const ended = Promise.resolve()
      .then(() => work(ask, { emit, signal: control.signal }))
      .then(
        (text): RunEnd => ({ status: 'ok', text }),
        (thrown: Error): RunEnd => ({ status: 'error', error: thrown.message }),
      );
    const run: StoredRun = { ask, control, ended };
    void ended.then((end) => {
      run.end = end;
    });
    this.#runs.set(ask.key, run);
    return run;
  }

  #wait(runId: string, timeoutMs: number, reply: Reply): void {
    const run = this.#runs.get(runId);
    if (!run) {
      reply({ runId, status: 'timeout' });
      return;
    }
    const timer = setTimeout(() => reply({ runId, status: 'timeout' }), timeoutMs);
    void run.ended.then(({ status, text, error }) => {
      clearTimeout(timer);
      reply({ runId, status, error, endedAt: 1, terminalReply: { text } });
    });
  }

  #tellHistory(sessionKey: string): object {
    const own = [...this.#runs.values()].filter(({ ask }) => ask.sessionKey === sessionKey);
    return {
      messages: own.flatMap(({ ask, end }) => [
        { role: 'user', content: ask.message, idempotencyKey: `${ask.key}:user` },
        ...(end ? [toRow(ask.key, end)] : []),
      ]),
      sessionInfo: { activeRunIds: own.filter(({ end }) => !end).map(({ ask }) => ask.key) },
    };
  }
}

function toResult(key: string, { status, text, error }: RunEnd): object {
  if (status !== 'ok') return { runId: key, status, error };
  const result = { payloads: [{ text }], meta: { agentMeta: { usage: USAGE } } };
  return { runId: key, status, summary: 'completed', result };
}

const TICK_MS = 30_000;

function startTicks(socket: WebSocket, everyMs: number): void {
  const tick = JSON.stringify({ type: 'event', event: 'tick', payload: {} });
  const timer = setInterval(() => socket.send(tick), everyMs);
  socket.once('close', () => clearInterval(timer));
}

function toRow(key: string, { text }: RunEnd): object {
  const content = [{ type: 'text', text }];
  return {
    role: 'assistant',
    content,
    usage: USAGE,
    stopReason: 'stop',
    __openclaw: { runId: key },
  };
}

function toHello(scopes: readonly string[], tickIntervalMs: number): object {
  return {
    type: 'hello-ok',
    protocol: 4,
    server: { version: '2026.9.6-test', connId: randomUUID() },
    auth: { role: 'operator', scopes },
    policy: { maxPayload: 1_000_000, tickIntervalMs },
  };
}

interface ConnectParams {
  readonly minProtocol: number;
  readonly client: { readonly id: string; readonly mode: string; readonly platform: string };
  readonly role: string;
  readonly scopes: readonly string[];
  readonly auth?: { readonly token?: string; readonly password?: string };
  readonly device: Record<'id' | 'publicKey' | 'signature' | 'nonce', string> & {
    readonly signedAt: number;
  };
}

/** Judges a `connect` as the gateway does: the key's fingerprint, the nonce, the signature, the token. */
function findFault(
  { client, role, scopes, auth, device }: ConnectParams,
  expected: { readonly token: string; readonly nonce: string },
): object | undefined {
  const raw = Buffer.from(device.publicKey, 'base64url');
  if (createHash('sha256').update(raw).digest('hex') !== device.id) {
    return fault('device identity mismatch', 'DEVICE_AUTH_DEVICE_ID_MISMATCH');
  }
  if (device.nonce !== expected.nonce) {
    return fault('device nonce mismatch', 'DEVICE_AUTH_NONCE_MISMATCH');
  }
  const header = Buffer.from('302a300506032b6570032100', 'hex');
  const key = createPublicKey({ key: Buffer.concat([header, raw]), format: 'der', type: 'spki' });
  const signed = [
    'v3',
    device.id,
    client.id,
    client.mode,
    role,
    scopes.join(','),
    String(device.signedAt),
    auth?.token ?? '',
    device.nonce,
    client.platform,
    '',
  ].join('|');
  if (!verify(null, Buffer.from(signed), key, Buffer.from(device.signature, 'base64url'))) {
    return fault('device signature invalid', 'DEVICE_AUTH_SIGNATURE_INVALID');
  }
  if (auth?.token !== expected.token && auth?.password !== expected.token) {
    return fault('unauthorized: gateway token mismatch', 'AUTH_TOKEN_MISMATCH');
  }
  return undefined;
}

function fault(message: string, code: string): object {
  return { code: 'INVALID_REQUEST', message, details: { code } };
}

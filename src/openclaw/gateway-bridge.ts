import { type Backoff, backoffMs } from '../core/backoff.ts';
import type { Clock } from '../core/clock.ts';
import { RuntimeError, toRuntimeError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type {
  Bridge,
  BridgeDialect,
  BridgeFault,
  BridgeState,
  BridgeStatus,
} from '../core/openclaw/bridge.ts';
import { ConnectionLost, ConnectionRefused } from './connection-fault.ts';
import type { SocketEnd } from './open-socket.ts';
import type { Session } from './session.ts';

export interface BridgeDeps {
  readonly url: string;
  readonly dialect: BridgeDialect;
  readonly maxReconnects: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly open: () => Promise<Session>;
  /** Changes when what we would show the gateway does: then a refusal no longer stands. */
  readonly findCredentialMark: () => Promise<string>;
  readonly findDeviceId: () => string | undefined;
}

const RECONNECT: Backoff = { firstMs: 1_000, maxMs: 30_000, jitter: 0.25 };
/** A connection that held so long was a good one: failures are counted anew. */
const STEADY_MS = 60_000;
const MOST_ASKED_MS = 60_000;
/** How a gateway closes on those that it does not want. */
const POLICY_VIOLATION = 1008;

const SEE_LOG = 'see the log of the gateway, then: claw openclaw connect';
const SEE_GATEWAY =
  'see that the gateway runs and that openclaw.url leads to it, then: claw openclaw connect';

/** Keeps one connection to the gateway, and says why when there is none. */
export class GatewayBridge implements Bridge {
  readonly #deps: BridgeDeps;
  readonly #stopping = new AbortController();
  #state: BridgeState = 'idle';
  #session: Session | undefined;
  #connectedAtMs: number | undefined;
  #nextAttemptAtMs: number | undefined;
  #failures = 0;
  #fault: BridgeFault | undefined;
  #refusedMark: string | undefined;
  #openRuns = 0;
  #unclaimedEvents = 0;
  /** Until connected, or until it is clear that it won't be. */
  #trying: Promise<Session> | undefined;
  /** The attempt that is under way in it. */
  #attempt: Promise<unknown> = Promise.resolve();
  #pause = new AbortController();

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
  }

  status(): BridgeStatus {
    const { url, dialect, findDeviceId } = this.#deps;
    return {
      state: this.#state,
      url,
      dialect,
      deviceId: findDeviceId(),
      gateway: this.#session?.facts,
      connectedAtMs: this.#connectedAtMs,
      failures: this.#failures,
      nextAttemptAtMs: this.#state === 'waiting' ? this.#nextAttemptAtMs : undefined,
      lastError: this.#fault,
      openRuns: this.#openRuns,
      unclaimedEvents: this.#unclaimedEvents,
    };
  }

  async connect(): Promise<BridgeStatus> {
    if (!this.#session && !this.#isStopping) {
      this.#failures = 0;
      this.#pause.abort();
      this.start();
      // A pause that was cut short is followed by an attempt in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#attempt;
    }
    return this.status();
  }

  /** Connects in the background, where nobody asked for it yet. */
  start(): void {
    this.#begin().catch(() => {});
  }

  /** The connection, as soon as there is one. Throws what a run fails with when there will be none. */
  async acquire(signal: AbortSignal, { isAgain = false } = {}): Promise<Session> {
    if (this.#session) return this.#session;
    if (this.#isStopping) throw stopped();
    if (await this.#isStillRefused()) throw this.#toRunFault();
    if (this.#state === 'given_up') {
      // Whoever has just lost it was part of what was given up.
      if (isAgain) throw this.#toRunFault();
      this.#failures = 0;
    }
    return unlessAborted(this.#begin(), signal);
  }

  countRun(change: 1 | -1): void {
    this.#openRuns += change;
  }

  countUnclaimed(): void {
    this.#unclaimedEvents += 1;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const session = this.#session;
    session?.close();
    await session?.closed;
    await this.#trying?.catch(() => {});
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #begin({ afterPause = false } = {}): Promise<Session> {
    if (this.#trying) return this.#trying;
    const trying = this.#tryUntilClear(afterPause).finally(() => {
      this.#trying = undefined;
    });
    // Those who wait are told; where nobody does, the state tells.
    trying.catch(() => {});
    this.#trying = trying;
    return trying;
  }

  /** Attempts with growing pauses. Ends with a connection, a refusal, or enough of it. */
  async #tryUntilClear(afterPause: boolean): Promise<Session> {
    if (afterPause) await this.#wait();
    for (;;) {
      if (this.#isStopping) throw stopped();
      try {
        const attempt = this.#tryOnce();
        this.#attempt = attempt.catch(() => {});
        return await attempt;
      } catch (thrown) {
        if (this.#isStopping) throw stopped();
        await this.#noteFailure(thrown);
        if (this.#state !== 'waiting') throw this.#toRunFault();
        await this.#wait(thrown);
      }
    }
  }

  async #tryOnce(): Promise<Session> {
    const { clock, logger, url } = this.#deps;
    this.#state = 'connecting';
    const session = await this.#deps.open();
    if (this.#isStopping) {
      session.close();
      throw stopped();
    }
    this.#session = session;
    this.#state = 'connected';
    this.#connectedAtMs = clock.nowMs();
    this.#fault = undefined;
    logger.info({ url, version: session.facts.version }, 'connected to OpenClaw');
    void session.closed.then((end) => this.#onClosed(end));
    return session;
  }

  async #onClosed({ code, reason }: SocketEnd): Promise<void> {
    const heldMs = this.#deps.clock.nowMs() - (this.#connectedAtMs ?? 0);
    this.#session = undefined;
    this.#connectedAtMs = undefined;
    if (this.#isStopping) return;
    if (heldMs >= STEADY_MS) this.#failures = 0;
    const why = reason === '' ? 'it closed the connection' : reason;
    await this.#noteFailure(
      code === POLICY_VIOLATION
        ? new ConnectionRefused('closed_1008', why, SEE_LOG)
        : new ConnectionLost(`closed_${code}`, why),
    );
    if (this.#state === 'waiting') this.#begin({ afterPause: true }).catch(() => {});
  }

  async #noteFailure(thrown: unknown): Promise<void> {
    const { clock, logger, url, maxReconnects } = this.#deps;
    const { code, message } = describe(thrown);
    const atMs = clock.nowMs();
    if (thrown instanceof ConnectionRefused) {
      this.#fault = { code, message, action: thrown.action, atMs };
      this.#refusedMark = await this.#deps.findCredentialMark().catch(() => undefined);
      this.#state = 'refused';
      logger.error({ url, code, reason: message }, `OpenClaw refuses us; ${thrown.action}`);
      return;
    }
    this.#failures += 1;
    const isEnough = this.#failures > maxReconnects;
    this.#state = isEnough ? 'given_up' : 'waiting';
    const action = isEnough ? SEE_GATEWAY : 'none: it is tried again';
    this.#fault = { code, message, action, atMs };
    const fields = { url, code, reason: message, failures: this.#failures };
    if (isEnough) logger.error(fields, `OpenClaw can't be reached; ${action}`);
    else logger.warn(fields, 'no connection to OpenClaw');
  }

  async #wait(thrown?: unknown): Promise<void> {
    const { clock } = this.#deps;
    const asked = thrown instanceof ConnectionLost ? thrown.retryAfterMs : undefined;
    const waitMs = Math.min(MOST_ASKED_MS, asked ?? backoffMs(RECONNECT, this.#failures));
    this.#nextAttemptAtMs = clock.nowMs() + waitMs;
    this.#pause = new AbortController();
    await clock.sleep(waitMs, AbortSignal.any([this.#pause.signal, this.#stopping.signal]));
  }

  /** Unless somebody gave us another token since. */
  async #isStillRefused(): Promise<boolean> {
    if (this.#state !== 'refused') return false;
    return (await this.#deps.findCredentialMark()) === this.#refusedMark;
  }

  #toRunFault(): RuntimeError {
    const { message, action, code } = this.#fault ?? { message: 'there is no connection' };
    const fix = action === undefined ? '' : `; to fix: ${action}`;
    return new RuntimeError(
      this.#state === 'refused' ? 'provider_misconfigured' : 'provider_failed',
      `the OpenClaw gateway at ${this.#deps.url} can't be used: ${message}${fix}`,
      { retryable: false, details: { unreachable: true, gateway_code: code ?? this.#state } },
    );
  }
}

function describe(thrown: unknown): { readonly code: string; readonly message: string } {
  if (thrown instanceof ConnectionLost || thrown instanceof ConnectionRefused) return thrown;
  return toRuntimeError(thrown);
}

function stopped(): RuntimeError {
  return new RuntimeError('shutting_down', 'the connection to OpenClaw is closed');
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const release = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(release);
  });
}

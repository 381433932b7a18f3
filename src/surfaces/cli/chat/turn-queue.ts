import type { Clock } from '../../../core/clock.ts';
import { cancelRun, type RunWriting } from '../../../operations/runs/runs.ts';
import type { Way } from '../ask/ask-runtime.ts';
import type { Style } from '../print/style.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { followTurn } from './follow-turn.ts';
import type { Screen } from './screen.ts';
import { TurnView } from './turn-view.ts';

export interface Turn {
  readonly runId: string;
  readonly message: string;
  /** Whether its message stands on the screen above it. */
  readonly isAnnounced: boolean;
  /** Whether this chat asked for it; another may be waiting for the rest. */
  readonly isOwn: boolean;
}

export interface TurnQueueOptions {
  readonly access: Pick<Way<RunWriting>, 'ask' | 'stream'>;
  readonly clock: Clock;
  readonly screen: Screen;
  readonly style: Style;
  readonly desk: ApprovalDesk;
  announce(message: string): void;
  /** A turn is over. */
  onEnd(): void;
  complain(thrown: unknown): void;
}

const TICK_MS = 200;

/** Turns that were asked for, shown one after the other. The runtime executes them in the same order. */
export class TurnQueue {
  readonly #options: TurnQueueOptions;
  readonly #waiting: Turn[] = [];
  readonly #stopping = new AbortController();
  #current: { readonly turn: Turn; readonly view: TurnView } | undefined;

  constructor(options: TurnQueueOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#current !== undefined || this.#waiting.length > 0;
  }

  /** The run that is being followed. */
  get currentId(): string | undefined {
    return this.#current?.turn.runId;
  }

  add(turn: Turn): void {
    this.#waiting.push(turn);
    if (this.#current === undefined) void this.#follow();
  }

  /** Shows how long it takes; called again and again. */
  tick(): void {
    if (this.#current) this.#options.screen.status(this.#current.view.status);
  }

  async cancel(runId: string): Promise<void> {
    const params = { run_id: runId };
    await this.#options.access.ask(cancelRun, { params, body: { reason: 'interrupt' } });
  }

  /** Cancels what this chat asked for, and waits a while for the turn under way to end. */
  async cancelOwn(waitMs: number): Promise<void> {
    const { clock } = this.#options;
    const open = [...(this.#current ? [this.#current.turn] : []), ...this.#waiting.splice(0)];
    const own = open.filter(({ isOwn }) => isOwn);
    const cancelled = Promise.all(own.map(({ runId }) => this.cancel(runId)));
    await Promise.race([cancelled, clock.sleep(waitMs)]);
    for (let waited = 0; this.#current?.turn.isOwn && waited < waitMs; waited += TICK_MS) {
      await clock.sleep(TICK_MS);
    }
  }

  /** Follows nothing any more. What runs goes on. */
  stop(): void {
    this.#waiting.length = 0;
    this.#stopping.abort();
  }

  async #follow(): Promise<void> {
    for (let turn = this.#waiting.shift(); turn; turn = this.#waiting.shift()) {
      await this.#show(turn);
      this.#options.onEnd();
    }
  }

  async #show(turn: Turn): Promise<void> {
    const { access, clock, screen, style, desk, announce, complain } = this.#options;
    if (!turn.isAnnounced) announce(turn.message);
    const view = new TurnView({
      screen,
      style,
      clock,
      onAsked: (id) => void desk.ask(id).catch(complain),
      onDecided: (decision) => desk.hear(decision),
    });
    this.#current = { turn, view };
    this.tick();
    try {
      const run = await followTurn({
        way: access,
        runId: turn.runId,
        clock,
        signal: this.#stopping.signal,
        onEvent: view.take,
        onLost: view.lose,
      });
      screen.status(undefined);
      view.finish(run);
    } catch (thrown) {
      if (!this.#stopping.signal.aborted) complain(thrown);
    } finally {
      this.#current = undefined;
      screen.status(undefined);
      desk.forget();
    }
  }
}

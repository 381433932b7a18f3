import type { Clock } from '../../../core/clock.ts';
import { toRuntimeError } from '../../../core/errors.ts';
import type { RunId } from '../../../core/ids.ts';
import type { SessionShape } from '../../http/session-shapes.ts';
import { toOneLine, toPlainText } from '../plain-text.ts';
import type { Style } from '../style.ts';
import { ApprovalDesk } from './approval-desk.ts';
import type { ChatAccess } from './chat-access.ts';
import type { Conversation } from './conversation.ts';
import { followTurn } from './follow-turn.ts';
import type { InputHistory } from './input-history.ts';
import { type EditorAction, type Key, LineEditor } from './line-editor.ts';
import { recap } from './recap.ts';
import { runSlashCommand, type SlashContext } from './run-slash-command.ts';
import type { Screen } from './screen.ts';
import { type Completions, completeInput, parseInput, SLASH_COMMANDS } from './slash-commands.ts';
import { TurnView } from './turn-view.ts';

export interface ChatLoopOptions {
  readonly access: ChatAccess;
  readonly conversation: Conversation;
  readonly screen: Screen;
  readonly style: Style;
  readonly history: InputHistory;
  readonly clock: Clock;
  readonly findClosestName: (name: string, known: readonly string[]) => Promise<string | undefined>;
}

interface Turn {
  readonly runId: RunId;
  readonly message: string;
  /** Whether its message stands on the screen above it. */
  readonly isAnnounced: boolean;
}

const PROMPT = '› ';
const MAX_MESSAGE_CHARS = 256 * 1024;
const TICK_MS = 200;
/** Two Ctrl-C within this time mean: not only the turn, the chat. */
const TWICE_MS = 2_000;
const CANCEL_WAIT_MS = 5_000;
const MAX_ECHO_CHARS = 4_000;

/** What a person types and what becomes of it, on one screen. */
export class ChatLoop {
  readonly #options: ChatLoopOptions;
  readonly #editor: LineEditor;
  readonly #desk: ApprovalDesk;
  readonly #slash: SlashContext;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #resolveEnded = () => {};
  readonly #turns: Turn[] = [];
  #current: { readonly turn: Turn; readonly view: TurnView } | undefined;
  #known: Completions = { sessions: [], agents: [] };
  #interruptedAtMs = Number.NEGATIVE_INFINITY;
  #isEnding = false;
  /** Messages on their way. */
  #sendingCount = 0;

  constructor(options: ChatLoopOptions) {
    const { access, conversation, screen, style, history } = options;
    this.#options = options;
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#editor = new LineEditor({
      history: () => history.entries,
      maxChars: MAX_MESSAGE_CHARS,
    });
    this.#desk = new ApprovalDesk({
      admin: access.admin,
      style,
      say: (text) => this.#say(text),
      onChange: () => this.#draw(),
    });
    this.#slash = {
      access,
      conversation,
      style,
      columns: () => screen.columns(),
      say: (text) => this.#say(text),
      goOn: (session) => this.#goOn(session),
      decide: (status, id) => this.#desk.decide(status, id),
      exit: () => this.end(),
    };
  }

  /** Resolves when the chat is over and nothing of it is left on the screen but what was said. */
  async run(session: SessionShape | undefined, message: string | undefined): Promise<void> {
    await this.#goOn(session).catch((thrown: unknown) => this.#complain(thrown));
    this.#draw();
    if (message !== undefined) this.#submit(message);
    const ticks = setInterval(() => this.#tick(), TICK_MS);
    try {
      await this.#ended;
    } finally {
      clearInterval(ticks);
      this.#stopping.abort();
    }
  }

  readonly press = (key: Key): void => {
    const action = this.#editor.press(key);
    if (!this.#isEnding) this.#act(action);
    // Whoever can't wait for the goodbye leaves without it.
    else if (action?.kind === 'interrupt') this.#resolveEnded();
  };

  /** Says goodbye: what still runs goes on at a server, and is cancelled where nobody else could execute it. */
  end(isInterrupt = false): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    void this.#leave(isInterrupt)
      .catch((thrown: unknown) => this.#complain(thrown))
      .finally(() => this.#resolveEnded());
  }

  #act(action: EditorAction | undefined): void {
    switch (action?.kind) {
      case undefined:
        return;
      case 'submit':
        this.#draw();
        return this.#take(action.message, action.typed);
      case 'complete':
        return this.#complete();
      case 'interrupt':
        return this.#interrupt();
      case 'end':
        return this.end();
      case 'redraw':
        return this.#draw();
    }
  }

  #take(message: string, typed: string): void {
    if (message.trim() === '') return;
    const answer = this.#desk.parseAnswer(message);
    if (answer !== undefined) {
      this.#do(this.#desk.decide(answer, undefined));
      return;
    }
    this.#options.history.add(typed);
    const input = parseInput(message);
    switch (input.kind) {
      case 'message':
        return this.#submit(message);
      case 'usage':
        return this.#say(`usage: ${input.usage}`);
      case 'unknown':
        return this.#do(this.#refuse(input.word));
      case 'command':
        if (input.command.needsRest && this.#isBusy) {
          return this.#say(`${input.command.name} has to wait: Ctrl-C cancels what is going on`);
        }
        return this.#do(runSlashCommand(this.#slash, input.command, input.argument));
    }
  }

  async #refuse(word: string): Promise<void> {
    const names = SLASH_COMMANDS.map(({ name }) => name);
    const closest = await this.#options.findClosestName(word, names);
    const hint = closest === undefined ? '/help lists those there are' : `did you mean ${closest}?`;
    this.#say(`unknown command ${toOneLine(word, 40)}: ${hint}`);
    this.#say(this.#options.style.dim('a space in front sends the line to the agent as it is'));
  }

  get #isBusy(): boolean {
    return this.#current !== undefined || this.#turns.length > 0 || this.#sendingCount > 0;
  }

  #submit(message: string): void {
    const { conversation, style } = this.#options;
    const isWaiting = this.#isBusy;
    this.#say(isWaiting ? style.dim(`queued: ${toOneLine(message, 200)}`) : this.#echo(message));
    this.#sendingCount += 1;
    const sent = conversation.send(message).finally(() => {
      this.#sendingCount -= 1;
    });
    this.#do(
      sent.then((answer) => {
        if (answer.kind === 'answered') return this.#say(toPlainText(answer.response));
        this.#turns.push({ runId: answer.runId, message, isAnnounced: !isWaiting });
        return this.#pump();
      }),
    );
  }

  /** Follows one turn after the other. */
  async #pump(): Promise<void> {
    if (this.#current !== undefined || this.#stopping.signal.aborted) return;
    const turn = this.#turns.shift();
    if (turn === undefined) return this.#refreshCompletions();
    const { access, clock, screen, style } = this.#options;
    if (!turn.isAnnounced) this.#say(this.#echo(turn.message));
    const view = new TurnView({
      screen,
      style,
      clock,
      onAsked: (id) => this.#do(this.#desk.ask(id)),
      onDecided: (decision) => this.#desk.hear(decision),
    });
    this.#current = { turn, view };
    this.#tick();
    try {
      const run = await followTurn({
        access,
        runId: turn.runId,
        clock,
        signal: this.#stopping.signal,
        onEvent: view.take,
        onLost: view.lose,
      });
      view.finish(run);
    } catch (thrown) {
      if (!this.#stopping.signal.aborted) this.#complain(thrown);
    } finally {
      this.#current = undefined;
      this.#desk.forget();
      screen.status(undefined);
      this.#draw();
    }
    await this.#pump();
  }

  /** The first cancels the turn; the second in a row, or one at an empty prompt, ends the chat. */
  #interrupt(): void {
    const { clock } = this.#options;
    const isSecond = clock.nowMs() - this.#interruptedAtMs < TWICE_MS;
    this.#interruptedAtMs = clock.nowMs();
    if (isSecond) return this.end(true);
    if (this.#current !== undefined) {
      this.#do(this.#cancel(this.#current.turn.runId));
    } else if (this.#editor.text !== '') {
      this.#editor.clear();
      this.#draw();
    } else {
      this.end(true);
    }
  }

  async #cancel(runId: RunId): Promise<void> {
    await this.#options.access.runs.cancel({ runId, reason: 'interrupt', actor: 'user' });
  }

  async #leave(isInterrupt: boolean): Promise<void> {
    const { access, clock, history, screen } = this.#options;
    const open = [...(this.#current ? [this.#current.turn] : []), ...this.#turns.splice(0)];
    screen.status(undefined);
    if (open.length > 0 && (isInterrupt || access.via === 'local')) {
      const cancelled = Promise.all(open.map(({ runId }) => this.#cancel(runId)));
      await Promise.race([cancelled, clock.sleep(CANCEL_WAIT_MS)]);
      for (let waited = 0; this.#current && waited < CANCEL_WAIT_MS; waited += TICK_MS) {
        await clock.sleep(TICK_MS);
      }
    } else if (open.length > 0) {
      this.#say('the turn goes on at the server; claw chat shows it again');
    }
    await history.flush();
  }

  /** Shows the end of what was said, and follows what was left under way. */
  async #goOn(session: SessionShape | undefined): Promise<void> {
    const { conversation, screen, style } = this.#options;
    if (session !== undefined) await recap({ conversation, session, screen, style });
    for (const { id, message } of await conversation.findOpenRuns()) {
      this.#turns.push({ runId: id, message, isAnnounced: false });
    }
    this.#do(this.#pump());
  }

  async #refreshCompletions(): Promise<void> {
    const { access, conversation } = this.#options;
    const [sessions, { agents }] = await Promise.all([
      conversation.list(50),
      access.agents.list({ limit: 50, cursor: undefined }),
    ]);
    this.#known = {
      sessions: sessions.map(({ session_id: id }) => id),
      agents: agents.map(({ agent_id: id }) => id),
    };
  }

  #complete(): void {
    const completed = completeInput(this.#editor.text, this.#known);
    if (completed === undefined) return;
    const isStuck = completed.text === this.#editor.text;
    if (isStuck && completed.options.length > 1) this.#say(completed.options.join('  '));
    this.#editor.replace(completed.text);
    this.#draw();
  }

  #echo(message: string): string {
    const { style } = this.#options;
    const shown = toPlainText(message.slice(0, MAX_ECHO_CHARS)).replace(/\n/g, '\n  ');
    return style.bold(`${PROMPT}${shown}${message.length > MAX_ECHO_CHARS ? '…' : ''}`);
  }

  #tick(): void {
    if (this.#current) this.#options.screen.status(this.#current.view.status);
  }

  #draw(): void {
    const { screen } = this.#options;
    // Where nothing can be drawn again, a prompt in the middle of an answer would only be in the way.
    if (!screen.canRedraw && this.#current && !this.#desk.isAsking && this.#editor.text === '')
      return;
    const prompt = this.#desk.isAsking ? 'allow it? y/n › ' : PROMPT;
    screen.input({ prompt, text: this.#editor.text, cursor: this.#editor.cursor });
  }

  #say(text: string): void {
    this.#options.screen.line(text);
    this.#draw();
  }

  /** Nobody waits for it; what goes wrong is said. */
  #do(work: Promise<unknown>): void {
    work.catch((thrown: unknown) => this.#complain(thrown));
  }

  #complain(thrown: unknown): void {
    const { message } = toRuntimeError(thrown);
    this.#say(`${this.#options.style.red('error:')} ${toPlainText(message)}`);
  }
}

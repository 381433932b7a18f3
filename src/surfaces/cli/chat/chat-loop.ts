import { MAX_MESSAGE_CHARS } from '../../../core/chat/chat-request.ts';
import type { Clock } from '../../../core/clock.ts';
import { toRuntimeError } from '../../../core/errors.ts';
import { listAgents } from '../../../operations/agents/agents.ts';
import type { SessionShape } from '../../../operations/sessions/session-shapes.ts';
import { toOneLine, toPlainText } from '../print/plain-text.ts';
import type { Style } from '../print/style.ts';
import { ApprovalDesk, type ApprovalDeskOptions } from './approval-desk.ts';
import type { Conversation } from './conversation.ts';
import type { InputHistory } from './input-history.ts';
import { type EditorAction, type Key, LineEditor } from './line-editor.ts';
import type { ChatAccess } from './open-chat.ts';
import { recap } from './recap.ts';
import { runSlashCommand, type SlashContext } from './run-slash-command.ts';
import type { Screen } from './screen.ts';
import { type Completions, completeInput, parseInput, SLASH_COMMANDS } from './slash-commands.ts';
import { TurnQueue } from './turn-queue.ts';

export interface ChatLoopOptions {
  readonly access: ChatAccess;
  readonly conversation: Conversation;
  readonly screen: Screen;
  readonly style: Style;
  readonly history: InputHistory;
  readonly clock: Clock;
  readonly preview: ApprovalDeskOptions['preview'];
  readonly findClosestName: (name: string, known: readonly string[]) => Promise<string | undefined>;
}

const PROMPT = '› ';
const TICK_MS = 200;
/** Two Ctrl-C within this time mean: not only the turn, the chat. */
const TWICE_MS = 2_000;
const CANCEL_WAIT_MS = 5_000;
const MAX_ECHO_CHARS = 4_000;
const MAX_COMPLETED = 50;

/** What a person types and what becomes of it, on one screen. */
export class ChatLoop {
  readonly #options: ChatLoopOptions;
  readonly #editor: LineEditor;
  readonly #desk: ApprovalDesk;
  readonly #turns: TurnQueue;
  readonly #slash: SlashContext;
  readonly #ended: Promise<void>;
  #resolveEnded = () => {};
  #known: Completions = { sessions: [], agents: [] };
  #interruptedAtMs = Number.NEGATIVE_INFINITY;
  /** Messages on their way. */
  #sendingCount = 0;
  #isEnding = false;

  constructor(options: ChatLoopOptions) {
    const { access, conversation, screen, style, history, clock } = options;
    this.#options = options;
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#editor = new LineEditor({ history: () => history.entries, maxChars: MAX_MESSAGE_CHARS });
    const say = (text: string) => this.#say(text);
    const onChange = () => this.#draw();
    this.#desk = new ApprovalDesk({
      ...{ askRuntime: access.ask, style, say, onChange },
      preview: options.preview,
    });
    this.#turns = new TurnQueue({
      ...{ access, clock, screen, style, desk: this.#desk },
      announce: (message) => this.#say(style.bold(this.#quote(message))),
      onEnd: () => {
        this.#draw();
        this.#refreshCompletions();
      },
      complain: (thrown) => this.#complain(thrown),
    });
    this.#slash = {
      ...{ access, conversation, style, say },
      columns: () => screen.columns(),
      goOn: (session) => this.#goOn(session),
      decide: (status, id) => this.#desk.decide(status, id),
      exit: () => this.end(),
    };
  }

  /** Resolves when the chat is over. */
  async run(session: SessionShape | undefined, message: string | undefined): Promise<void> {
    const ticks = setInterval(() => this.#turns.tick(), TICK_MS);
    try {
      this.#refreshCompletions();
      await this.#goOn(session).catch((thrown: unknown) => this.#complain(thrown));
      this.#draw();
      if (message !== undefined) this.#submit(message);
      await this.#ended;
    } finally {
      clearInterval(ticks);
      this.#turns.stop();
    }
  }

  readonly press = (key: Key): void => {
    const action = this.#editor.press(key);
    if (action === undefined) return;
    if (!this.#isEnding) this.#act(action);
    // Whoever can't wait for the goodbye leaves without it.
    else if (action.kind === 'interrupt') this.#resolveEnded();
  };

  /** What still runs goes on at a server, and is cancelled when nobody else would execute it, or wants it. */
  end(isInterrupt = false): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    void this.#leave(isInterrupt)
      .catch((thrown: unknown) => this.#complain(thrown))
      .finally(() => this.#resolveEnded());
  }

  async #leave(isInterrupt: boolean): Promise<void> {
    const { access, history } = this.#options;
    if (this.#turns.isBusy && (isInterrupt || access.via === 'local')) {
      await this.#turns.cancelOwn(CANCEL_WAIT_MS);
    } else if (this.#turns.isBusy) {
      this.#say('the answer is still being worked on; claw chat shows it');
    }
    await history.flush();
  }

  #act(action: EditorAction): void {
    switch (action.kind) {
      case 'submit':
        this.#options.screen.submit();
        this.#take(action.message, action.typed);
        break;
      case 'complete':
        this.#complete();
        break;
      case 'interrupt':
        this.#interrupt();
        break;
      case 'end':
        this.end();
        break;
      case 'clear_screen':
        this.#options.screen.clear();
        this.#draw();
        break;
      case 'redraw':
        this.#draw();
        break;
    }
  }

  #take(message: string, typed: string): void {
    if (message.trim() === '') {
      this.#draw();
      return;
    }
    const answer = this.#desk.parseAnswer(message);
    if (answer === undefined) this.#options.history.add(typed);
    const input = parseInput(message);
    if (input.kind !== 'message') this.#repeat(this.#options.style.dim(this.#quote(message)));
    if (answer !== undefined) {
      this.#do(this.#desk.decide(answer, undefined));
    } else if (input.kind === 'message') {
      this.#submit(message);
    } else if (input.kind === 'usage') {
      this.#say(`usage: ${input.usage}`);
    } else if (input.kind === 'unknown') {
      this.#do(this.#refuse(input.word));
    } else if (input.command.needsRest && this.#isBusy) {
      this.#say(`${input.command.name} has to wait; Ctrl-C cancels what is going on`);
    } else {
      this.#do(runSlashCommand(this.#slash, input.command, input.argument));
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
    return this.#turns.isBusy || this.#sendingCount > 0;
  }

  #submit(message: string): void {
    const { conversation, style } = this.#options;
    const isWaiting = this.#isBusy;
    if (isWaiting) this.#say(style.dim(`queued: ${toOneLine(message, 200)}`));
    else this.#repeat(style.bold(this.#quote(message)));
    this.#sendingCount += 1;
    const sent = conversation.send(message).finally(() => {
      this.#sendingCount -= 1;
    });
    this.#do(
      sent.then((answer) => {
        if ('response' in answer) this.#say(toPlainText(answer.response));
        else this.#turns.add({ runId: answer.id, message, isAnnounced: !isWaiting, isOwn: true });
      }),
    );
  }

  /** The first cancels the turn; the second in a row, or one at an empty prompt, ends the chat. */
  #interrupt(): void {
    const nowMs = this.#options.clock.nowMs();
    const isSecond = nowMs - this.#interruptedAtMs < TWICE_MS;
    this.#interruptedAtMs = nowMs;
    const { currentId } = this.#turns;
    if (!isSecond && currentId !== undefined) {
      this.#do(this.#turns.cancel(currentId));
    } else if (!isSecond && this.#editor.text !== '') {
      this.#editor.clear();
      this.#draw();
    } else {
      this.end(true);
    }
  }

  /** Shows the end of what was said, and follows what was left under way. */
  async #goOn(session: SessionShape | undefined): Promise<void> {
    const { conversation, screen, style } = this.#options;
    if (session === undefined) return;
    await recap({ conversation, session, screen, style });
    for (const { id: runId, message } of await conversation.findOpenRuns()) {
      this.#turns.add({ runId, message, isAnnounced: false, isOwn: false });
    }
    this.#draw();
  }

  /** For Tab, which can't wait. Without them it completes less, which is no fault. */
  #refreshCompletions(): void {
    const { access, conversation } = this.#options;
    const agents = access.ask(listAgents, { query: { limit: MAX_COMPLETED } });
    void Promise.all([conversation.list(MAX_COMPLETED), agents]).then(
      ([sessions, page]) => {
        this.#known = {
          sessions: sessions.map(({ session_id: id }) => id),
          agents: page.agents.map(({ agent_id: id }) => id),
        };
      },
      () => {},
    );
  }

  #complete(): void {
    const completed = completeInput(this.#editor.text, this.#known);
    if (completed === undefined) return;
    const isStuck = completed.text === this.#editor.text;
    if (isStuck && completed.options.length > 1) this.#say(completed.options.join('  '));
    this.#editor.replace(completed.text);
    this.#draw();
  }

  /** What was typed moves up into the conversation. Where nothing moves, it stands there already. */
  #repeat(quoted: string): void {
    if (this.#options.screen.canRedraw) this.#say(quoted);
  }

  #quote(message: string): string {
    const shown = toPlainText(message.slice(0, MAX_ECHO_CHARS)).replace(/\n/g, '\n  ');
    return `${PROMPT}${shown}${message.length > MAX_ECHO_CHARS ? '…' : ''}`;
  }

  #draw(): void {
    const { screen } = this.#options;
    const { text, cursor } = this.#editor;
    const isAsking = this.#desk.isAsking;
    // Where nothing can be drawn again, a prompt in the middle of an answer would only be in the way.
    if (!screen.canRedraw && this.#isBusy && !isAsking && text === '') return;
    const prompt = isAsking ? `allow it? ${this.#desk.choices} › ` : PROMPT;
    screen.input({ prompt, text, cursor });
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

/**
 * The text of a model's turn that may come more than once: a broken attempt is made again, and after a crash another
 * process asks the model anew. What is on the screen already is not shown a second time.
 */
export class AnswerStream {
  readonly #show: (text: string) => void;
  readonly #onRestart: () => void;
  #turn: unknown;
  #shown = '';
  /** What the attempt under way has said so far, while it repeats what is shown; undefined once it goes on from there. */
  #again: string | undefined;

  /** `onRestart` hears that what follows is another text than the one that was shown. */
  constructor(show: (text: string) => void, onRestart: () => void) {
    this.#show = show;
    this.#onRestart = onRestart;
  }

  /** Of the turn under way, as far as it is on the screen. */
  get shown(): string {
    return this.#shown;
  }

  /** The model was asked: for a new turn, or for the one under way once more. */
  begin(turn: unknown): void {
    const isAgain = turn === this.#turn && this.#shown !== '';
    this.#turn = turn;
    if (!isAgain) this.#shown = '';
    this.#again = isAgain ? '' : undefined;
  }

  add(delta: string): void {
    if (this.#again === undefined) {
      this.#append(delta);
      return;
    }
    this.#again += delta;
    if (this.#shown.startsWith(this.#again)) return;
    const said = this.#again;
    this.#again = undefined;
    if (said.startsWith(this.#shown)) {
      this.#append(said.slice(this.#shown.length));
      return;
    }
    this.#onRestart();
    this.#shown = '';
    this.#append(said);
  }

  #append(text: string): void {
    if (text === '') return;
    this.#shown += text;
    this.#show(text);
  }
}

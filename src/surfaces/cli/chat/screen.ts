/** What is being typed, and where in it the cursor is. */
export interface InputView {
  /** Before the first row. */
  readonly prompt: string;
  readonly text: string;
  readonly cursor: number;
}

/** Where a conversation is shown. All texts are safe for a terminal already. */
export interface Screen {
  /** Whether rows can be drawn again: without that, what was said stays. */
  readonly canRedraw: boolean;
  columns(): number;
  /** Text as it comes; it may end in the middle of a row. */
  write(text: string): void;
  /** Whole lines, which never end up in the middle of a row. */
  line(text: string): void;
  /** What is going on right now, where it can be drawn again; undefined for nothing. */
  status(text: string | undefined): void;
  input(view: InputView): void;
  /** What was typed is sent: the next input is another. */
  submit(): void;
  /** Takes away all that is on the screen but what is being typed, and what is going on. */
  clear(): void;
  /** Takes away what was only for now and leaves the cursor on a row of its own. */
  close(): void;
}

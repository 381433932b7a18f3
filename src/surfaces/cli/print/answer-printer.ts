import { isJsonObject, type JsonValue } from '../../../core/json.ts';
import type { RunDetail, RunEvent } from '../../../operations/runs/run-shapes.ts';
import { describeToolCall, describeToolResult } from '../commands/tool/tool-lines.ts';
import type { Live } from '../live.ts';
import { toOneLine, toPlainText } from './plain-text.ts';

const MAX_FAULT_CHARS = 300;
const BROKE_OFF = 'the model broke off';

/** Turns the events of a run into an answer on standard output and tool activity on standard error. */
export class AnswerPrinter {
  readonly #live: Live;
  readonly #isStreaming: boolean;
  /** Of the model turn under way, as it was streamed. */
  #turnText = '';
  #hasWritten = false;
  /** Why the last attempt brought no answer. */
  #lastFault = BROKE_OFF;
  #isMidLine = false;

  constructor(live: Live, isStreaming: boolean) {
    this.#live = live;
    this.#isStreaming = isStreaming && live.isText;
  }

  readonly take = (event: RunEvent): void => {
    const { payload } = event;
    const { noteStyle } = this.#live;
    switch (event.event_type) {
      case 'model.requested':
        this.#turnText = '';
        if (payload['attempt'] !== 1) this.#note(`${this.#lastFault}, asking again`);
        return;
      case 'model.failed':
        this.#lastFault = describeFault(payload['error']);
        return;
      case 'model.delta':
        this.#stream(payload['text']);
        return;
      case 'tool.call':
        this.#note(describeToolCall(payload, noteStyle));
        return;
      case 'tool.result':
        this.#note(describeToolResult(payload, noteStyle));
        return;
      case 'run.recovered':
        this.#note('the run goes on after a crash');
        return;
      default:
        return;
    }
  };

  /** What standard output still lacks of the answer. */
  finish(run: RunDetail): string {
    const { output } = run;
    const isShown = this.#isStreaming && output !== '' && this.#turnText === output;
    if (isShown) return this.#isMidLine ? '\n' : '';
    const answer = this.#live.isTerminal ? toPlainText(output) : output;
    return this.#isMidLine && answer !== '' ? `\n${answer}` : answer;
  }

  #stream(text: unknown): void {
    if (!this.#isStreaming || typeof text !== 'string' || text === '') return;
    // Texts of two turns would run into each other.
    if (this.#turnText === '' && this.#hasWritten)
      this.#live.write(this.#isMidLine ? '\n\n' : '\n');
    this.#turnText += text;
    this.#live.write(this.#live.isTerminal ? toPlainText(text) : text);
    this.#hasWritten = true;
    this.#isMidLine = !text.endsWith('\n');
  }

  #note(line: string): void {
    // On a terminal both streams share the screen: a note must not begin in the middle of the text.
    if (this.#isMidLine && this.#live.isTerminal) {
      this.#live.write('\n');
      this.#isMidLine = false;
    }
    this.#live.note(this.#live.noteStyle.dim(line));
  }
}

function describeFault(error: JsonValue | undefined): string {
  const message = isJsonObject(error) ? error['message'] : undefined;
  return typeof message === 'string' && message !== ''
    ? toOneLine(message, MAX_FAULT_CHARS)
    : BROKE_OFF;
}

import type { Clock } from '../../../core/clock.ts';
import type { JsonObject, JsonValue } from '../../../core/json.ts';
import type { RunDetail, RunEvent } from '../../../operations/runs/run-shapes.ts';
import { describeToolCall, describeToolResult } from '../commands/tool/tool-lines.ts';
import { formatTotals } from '../print/format.ts';
import { toOneLine } from '../print/plain-text.ts';
import type { Style } from '../print/style.ts';
import { AnswerStream } from './answer-stream.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { Screen } from './screen.ts';

export interface TurnViewOptions {
  readonly screen: Screen;
  readonly style: Style;
  readonly clock: Clock;
  /** A person is asked, or was answered for. */
  readonly onAsked: (approvalId: string) => void;
  readonly onDecided: (decision: JsonObject) => void;
}

const MAX_CALL_CHARS = 100;
const MAX_ERROR_CHARS = 1_000;

/** One turn of a conversation on a screen: the answer as it is written, tools, and how it ended. */
export class TurnView {
  readonly #options: TurnViewOptions;
  readonly #markdown: MarkdownStream;
  readonly #answer: AnswerStream;
  readonly #calls = new Map<JsonValue | undefined, string>();
  #activity = 'waiting for its turn';
  #sinceMs: number;

  constructor(options: TurnViewOptions) {
    const { screen, style, clock } = options;
    this.#options = options;
    this.#sinceMs = clock.nowMs();
    const write = (text: string) => screen.write(text);
    this.#markdown = new MarkdownStream({ style, columns: () => screen.columns(), write });
    this.#answer = new AnswerStream(
      (text) => this.#markdown.feed(text),
      () => this.#line(style.dim('the answer was broken off and begins again')),
    );
  }

  /** What is going on, and for how long. */
  get status(): string {
    const { clock, style, screen } = this.#options;
    const seconds = ((clock.nowMs() - this.#sinceMs) / 1_000).toFixed(1);
    const hint = ' · Ctrl-C cancels';
    const room = screen.columns() - seconds.length - hint.length - 5;
    return style.dim(`${toOneLine(this.#activity, Math.max(8, room))} ${seconds} s${hint}`);
  }

  readonly take = ({ event_type: type, payload }: RunEvent): void => {
    switch (type) {
      case 'run.started':
        this.#do('thinking');
        break;
      case 'run.recovered':
        this.#do('taken up again after a break');
        break;
      case 'model.requested':
        this.#answer.begin(payload['turn']);
        this.#do('thinking');
        break;
      case 'model.delta':
        this.#do('writing');
        this.#answer.add(text(payload['text']));
        break;
      case 'model.completed':
        this.#markdown.end();
        break;
      case 'tool.call':
        this.#beginCall(payload);
        break;
      case 'tool.result':
        this.#endCall(payload);
        break;
      case 'policy.decision':
        this.#decide(payload);
        break;
      case 'run.cancel_requested':
        this.#do('being cancelled');
        break;
      default:
        break;
    }
  };

  readonly lose = (): void => {
    const said = 'the server does not answer, asking again';
    if (this.#activity === said) return;
    this.#do(said);
    if (!this.#options.screen.canRedraw) this.#line(said);
  };

  finish(run: RunDetail): void {
    const { style, screen } = this.#options;
    const output = run.status === 'completed' ? run.output : '';
    if (output !== '' && output !== this.#answer.shown) {
      const isBegun = this.#markdown.isMidRow && output.startsWith(this.#answer.shown);
      if (!isBegun) this.#markdown.end();
      this.#markdown.feed(isBegun ? output.slice(this.#answer.shown.length) : output);
    }
    this.#markdown.end();
    if (run.status === 'failed') {
      const why = toOneLine(run.error?.message ?? 'for no reason given', MAX_ERROR_CHARS);
      screen.line(`${style.red('failed:')} ${why}`);
    }
    if (run.status === 'cancelled') screen.line(style.yellow('cancelled'));
    screen.line(style.dim(formatTotals(run)));
  }

  /** Between rows of the answer. */
  #line(said: string): void {
    this.#markdown.end();
    this.#options.screen.line(said);
  }

  #do(activity: string): void {
    if (activity === this.#activity) return;
    this.#activity = activity;
    this.#sinceMs = this.#options.clock.nowMs();
  }

  #beginCall(payload: JsonObject): void {
    const { screen, style } = this.#options;
    const input = JSON.stringify(payload['input'] ?? {});
    const said = toOneLine(`${text(payload['tool'])} ${input}`, MAX_CALL_CHARS);
    this.#calls.set(payload['tool_call_id'], toOneLine(input, MAX_CALL_CHARS));
    this.#do(said);
    this.#markdown.end();
    if (!screen.canRedraw) screen.line(style.dim(describeToolCall(payload, style)));
  }

  #endCall(payload: JsonObject): void {
    const { screen, style } = this.#options;
    const input = this.#calls.get(payload['tool_call_id']);
    const given = input === undefined || !screen.canRedraw ? '' : ` ${style.dim(input)}`;
    this.#line(`${style.dim('•')} ${describeToolResult(payload, style)}${given}`);
    this.#do('thinking');
  }

  #decide(payload: JsonObject): void {
    const approvalId = text(payload['approval_id']);
    if (approvalId === '') return;
    this.#markdown.end();
    if (payload['decision'] === 'ask') {
      this.#do('waiting for your answer');
      this.#options.onAsked(approvalId);
    } else {
      this.#do('thinking');
      this.#options.onDecided(payload);
    }
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

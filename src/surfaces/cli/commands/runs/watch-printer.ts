import { stripVTControlCharacters } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/json.ts';
import type { RunEvent } from '../../../../operations/runs/run-shapes.ts';
import type { Live } from '../../live.ts';
import { formatDuration, formatLocalTime } from '../../print/format.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import { describeToolCall, describeToolResult } from '../tool/tool-lines.ts';

const LABEL_WIDTH = 9;

/** A live run for people: a line per event, and the model's text as it comes between them. */
export class WatchPrinter {
  readonly #live: Live;
  #isMidLine = false;
  #streamed = '';
  #count = 0;

  constructor(live: Live) {
    this.#live = live;
  }

  get count(): number {
    return this.#count;
  }

  readonly take = (event: RunEvent): void => {
    this.#count += 1;
    if (!this.#live.isText) return;
    const described = this.#describe(event);
    if (described === undefined) this.#stream(text(event.payload['text']));
    else this.#line(Date.parse(event.ts), ...described);
  };

  /** The answer, unless it stands there already. */
  rest(output: string): string {
    const lineEnd = this.#isMidLine ? '\n' : '';
    return output === '' || this.#streamed === output
      ? lineEnd
      : `${lineEnd}${toPlainText(output)}`;
  }

  /** Undefined for a piece of the model's text, which is no line. */
  #describe({
    event_type: type,
    payload,
    actor,
  }: RunEvent): [label: string, said: string] | undefined {
    const { style } = this.#live;
    switch (type) {
      case 'run.created':
        return ['created', `by ${text(payload['source'])}: ${this.#fit(text(payload['message']))}`];
      case 'run.started':
        return ['started', text(payload['owner'])];
      case 'run.recovered':
        return [style.yellow('resumed'), text(payload['owner'])];
      case 'frame.accepted':
        return ['input', this.#fit(JSON.stringify(payload))];
      case 'frame.ignored':
        return [style.yellow('ignored'), this.#fit(text(payload['reason']))];
      case 'model.requested':
        this.#streamed = '';
        return [`turn ${number(payload['turn'])}`, describeRequest(payload)];
      case 'agent.noted':
        return [text(payload['kind']), this.#fit(text(payload['text']))];
      case 'model.completed':
        return ['answered', describeCompletion(payload)];
      case 'model.failed':
        return [style.yellow('no answer'), this.#fit(describeError(payload))];
      case 'tool.call':
        return ['tool', describeToolCall(payload, style)];
      case 'tool.result':
        return ['result', describeToolResult(payload, style)];
      case 'policy.decision':
        return ['policy', this.#fit(describeDecision(payload))];
      case 'run.cancel_requested':
        return [style.yellow('cancel'), `asked by ${actor} ${this.#fit(text(payload['reason']))}`];
      case 'run.completed':
        return [style.green('completed'), text(payload['stop_reason'])];
      case 'run.failed':
        return [style.red('failed'), this.#fit(describeError(payload))];
      case 'run.cancelled':
        return [style.yellow('cancelled'), ''];
      case 'model.delta':
        return undefined;
    }
  }

  #stream(delta: string): void {
    this.#streamed += delta;
    this.#live.write(toPlainText(delta));
    this.#isMidLine = delta === '' ? this.#isMidLine : !delta.endsWith('\n');
  }

  #line(atMs: number, label: string, said: string): void {
    const { style } = this.#live;
    const padding = ' '.repeat(Math.max(0, LABEL_WIDTH - visibleLength(label)));
    const time = style.dim(formatLocalTime(atMs).slice(11));
    this.#live.write(
      `${this.#isMidLine ? '\n' : ''}${time}  ${label}${padding}  ${said}`.trimEnd(),
    );
    this.#live.write('\n');
    this.#isMidLine = false;
  }

  #fit(said: string): string {
    return toOneLine(said, Math.max(20, this.#live.style.width - 40));
  }
}

function describeRequest(payload: JsonObject): string {
  const attempt = number(payload['attempt']);
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  const mode = payload['mode'] === 'recovery' ? ', recovering from failures' : '';
  return `${text(payload['provider'])}/${text(payload['model'])}${again}${mode}`;
}

function describeCompletion(payload: JsonObject): string {
  const usage = isJsonObject(payload['usage']) ? payload['usage'] : {};
  const tokens = `${count(usage['input_tokens'])} tokens in, ${count(usage['output_tokens'])} out`;
  return `${formatDuration(number(payload['duration_ms']))}, ${tokens}`;
}

function count(tokens: JsonValue | undefined): string {
  return tokens === null ? 'unknown' : String(number(tokens));
}

function describeDecision(payload: JsonObject): string {
  const message = text(payload['message']);
  const said = message === '' ? '' : `: ${message}`;
  return `${text(payload['decision'])} ${text(payload['tool'])}${said}`;
}

function describeError(payload: JsonObject): string {
  const error = isJsonObject(payload['error']) ? payload['error'] : {};
  return `${text(error['code'])}: ${text(error['message'])}`;
}

function visibleLength(label: string): number {
  return stripVTControlCharacters(label).length;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? toPlainText(value) : '';
}

function number(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

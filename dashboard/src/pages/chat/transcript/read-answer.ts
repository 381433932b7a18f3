import type { RunEvent } from '../../../../../src/operations/runs/run-shapes.ts';
import type { Answer, AnswerPart, AnswerState, ToolCall, Usage } from './answer.ts';

type Payload = RunEvent['payload'];

/** The answer that the events of a run tell of, as far as they go. */
export function readAnswer(events: readonly RunEvent[]): Answer {
  const reading = new Reading();
  for (const event of events) reading.take(event);
  return reading.answer();
}

/** The words of one turn. What was said before a crash stands until the model says something else. */
interface Saying {
  readonly turn: number;
  before: string;
  text: string;
}

type Entry =
  | { readonly kind: 'saying'; readonly saying: Saying }
  | { readonly kind: 'note'; readonly key: string; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string }
  | { readonly kind: 'told'; readonly seq: number; readonly text: string };

class Reading {
  private readonly entries: Entry[] = [];
  private readonly sayings = new Map<number, Saying>();
  private readonly calls = new Map<string, ToolCall>();
  private state: AnswerState = 'queued';
  private end: Pick<Answer, 'problem' | 'usage'> = {};
  private isBegunAgain = false;
  /** The newest message that a turn has read. */
  private readThrough = 0;

  take({ event_type: type, payload, seq, ts }: RunEvent): void {
    const turn = toNumber(payload['turn']);
    const text = toText(payload['text']);
    if (type === 'run.started' || type === 'run.recovered') this.state = 'working';
    else if (type === 'run.cancel_requested') this.state = 'stopping';
    else if (type === 'model.requested') this.ask(turn, payload);
    else if (type === 'frame.accepted') this.hear(seq, payload);
    else if (type === 'model.delta') this.say(turn, text);
    else if (type === 'model.completed') this.finishTurn(turn, text);
    else if (type === 'agent.noted') this.entries.push({ kind: 'note', key: `note-${seq}`, text });
    else if (type === 'tool.call') this.call(payload, ts);
    else if (type === 'tool.result') this.settle(payload);
    else if (type === 'policy.decision') this.decide(payload);
    else if (type === 'run.completed') this.finish('done', payload);
    else if (type === 'run.failed') this.finish('failed', payload);
    else if (type === 'run.cancelled') this.finish('stopped', payload);
  }

  answer(): Answer {
    const parts = this.entries.flatMap((entry) => this.toPart(entry));
    const again = this.isBegunAgain ? { isBegunAgain: true } : {};
    return { parts, state: this.state, ...this.end, ...again };
  }

  private hear(seq: number, payload: Payload): void {
    const text = toText(toRecord(payload['payload'])['text']);
    if (payload['type'] === 'user_message') this.entries.push({ kind: 'told', seq, text });
  }

  private ask(turn: number, payload: Payload): void {
    const through = toNumber(payload['frames_through']);
    this.readThrough = Math.max(this.readThrough, through);
    if (this.state !== 'stopping') this.state = 'working';
    const saying = this.sayings.get(turn);
    if (saying === undefined) return;
    saying.before = shown(saying);
    saying.text = '';
    if (through > 0) this.moveBack(saying);
  }

  /** Asked again, it has read what it was told meanwhile, and answers that too. */
  private moveBack(saying: Saying): void {
    const at = this.entries.findIndex(
      (entry) => entry.kind === 'saying' && entry.saying === saying,
    );
    this.entries.push(...this.entries.splice(at, 1));
  }

  private say(turn: number, text: string): void {
    const saying = this.findSaying(turn);
    saying.text += text;
    if (!saying.before.startsWith(saying.text)) this.dropBefore(saying);
  }

  private finishTurn(turn: number, text: string): void {
    if (text === '' && !this.sayings.has(turn)) return;
    const saying = this.findSaying(turn);
    saying.text = text;
    if (saying.before !== text) this.dropBefore(saying);
    saying.before = '';
  }

  private dropBefore(saying: Saying): void {
    // The same words and more are no second beginning.
    if (!saying.text.startsWith(saying.before)) this.isBegunAgain = true;
    saying.before = '';
  }

  private findSaying(turn: number): Saying {
    const known = this.sayings.get(turn);
    if (known !== undefined) return known;
    const saying = { turn, before: '', text: '' };
    this.sayings.set(turn, saying);
    this.entries.push({ kind: 'saying', saying });
    return saying;
  }

  private call(payload: Payload, startedAt: string): void {
    const id = toText(payload['tool_call_id']);
    // A call that is made after its approval, or again after a crash, is the same call.
    if (!this.calls.has(id)) this.entries.push({ kind: 'tool', id });
    this.calls.set(id, {
      ...this.calls.get(id),
      tool: toText(payload['tool']),
      input: payload['input'],
      state: 'running',
      startedAt,
    });
  }

  private settle(payload: Payload): void {
    const id = toText(payload['tool_call_id']);
    const call = this.calls.get(id);
    if (call === undefined) return;
    const error = toRecord(payload['error']);
    const isDenied = error['code'] === 'policy.denied';
    this.calls.set(id, {
      ...call,
      state: payload['ok'] === true ? 'ok' : isDenied ? 'denied' : 'failed',
      summary: toText(payload['summary']),
      output: payload['output'],
      ...(typeof payload['duration_ms'] === 'number' ? { durationMs: payload['duration_ms'] } : {}),
      ...(payload['ok'] === true ? {} : { error: toText(error['message']) }),
    });
  }

  private decide(payload: Payload): void {
    const id = toText(payload['tool_call_id']);
    const call = this.calls.get(id);
    const approvalId = payload['approval_id'];
    if (call === undefined || typeof approvalId !== 'string') return;
    const isAsked = payload['decision'] === 'ask';
    this.calls.set(id, {
      ...call,
      approvalId,
      state: isAsked ? 'waiting' : 'running',
      ...(isAsked ? {} : { answered: toText(payload['status']) }),
    });
    if (this.state !== 'stopping') this.state = isAsked ? 'waiting' : 'working';
  }

  private finish(state: AnswerState, payload: Payload): void {
    this.state = state;
    const usage = readUsage(payload['usage']);
    const problem = toText(toRecord(payload['error'])['message']);
    this.end = { ...(usage ? { usage } : {}), ...(problem === '' ? {} : { problem }) };
    const output = toText(payload['output']);
    if (state === 'done' && output !== '') this.conclude(output);
  }

  /** The output is the last word: a notice may have been added, and a direct call had no turn at all. */
  private conclude(output: string): void {
    const last = this.entries.at(-1);
    if (last?.kind === 'saying') {
      last.saying.text = output;
      last.saying.before = '';
    } else {
      this.entries.push({ kind: 'saying', saying: { turn: 0, before: '', text: output } });
    }
  }

  private toPart(entry: Entry): readonly AnswerPart[] {
    if (entry.kind === 'note') return [entry];
    if (entry.kind === 'told') {
      const { seq, text } = entry;
      return [{ kind: 'told', key: `told-${seq}`, text, isRead: seq <= this.readThrough }];
    }
    if (entry.kind === 'saying') {
      const text = shown(entry.saying);
      return text.trim() === '' ? [] : [{ kind: 'text', key: `turn-${entry.saying.turn}`, text }];
    }
    const call = this.calls.get(entry.id);
    if (call === undefined) return [];
    const isLeft = this.state === 'stopped' || this.state === 'failed';
    const isOpen = call.state === 'running' || call.state === 'waiting';
    const shownCall: ToolCall =
      isLeft && isOpen ? { ...call, state: 'failed', error: 'It was broken off.' } : call;
    return [{ kind: 'tool', key: entry.id, call: shownCall }];
  }
}

function shown({ before, text }: Saying): string {
  return before.startsWith(text) ? before : text;
}

export function readUsage(value: unknown): Usage | undefined {
  const usage = toRecord(value);
  if (Object.keys(usage).length === 0) return undefined;
  return {
    inputTokens: toCount(usage['input_tokens']),
    outputTokens: toCount(usage['output_tokens']),
    costUsd: toCount(usage['cost_usd']),
  };
}

const toCount = (value: unknown) => (typeof value === 'number' ? value : null);
const toNumber = (value: unknown) => (typeof value === 'number' ? value : 0);
const toText = (value: unknown) => (typeof value === 'string' ? value : '');

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

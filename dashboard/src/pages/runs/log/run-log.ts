import type { JsonObject } from '../../../../../src/core/json.ts';
import type { RunEvent } from '../../../api/use-run-events.ts';
import { formatDuration } from '../../../kit/format.ts';
import { faultOf, numberOf, textOf } from '../timeline/payload.ts';

/** One thing that happened, told for people. */
export interface LogLine {
  readonly seq: number;
  readonly atMs: number;
  readonly who: 'user' | 'model' | 'tool' | 'person' | 'runtime';
  /** What was done, in a few words. */
  readonly title: string;
  /** What was said, given or answered. */
  readonly text: string;
  readonly tone: 'plain' | 'bad' | 'wait' | 'ok';
}

/** The whole run as it can be read from top to bottom: without the pieces of streamed text and the bookkeeping. */
export function toLog(events: readonly RunEvent[]): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (const event of events) {
    const told = tell(event);
    if (told !== undefined) {
      lines.push({ seq: event.seq, atMs: Date.parse(event.ts), tone: 'plain', ...told });
    }
  }
  return lines;
}

type Told = Pick<LogLine, 'who' | 'title' | 'text'> & Partial<Pick<LogLine, 'tone'>>;

function tell({ event_type: type, payload: given }: RunEvent): Told | undefined {
  const payload = given as JsonObject;
  switch (type) {
    case 'run.created':
      return { who: 'user', title: 'Asked', text: textOf(payload['message']) };
    case 'frame.accepted':
      return {
        who: 'user',
        title: `Input: ${textOf(payload['type'])}`,
        text: JSON.stringify(payload['payload']),
      };
    case 'agent.noted':
      return {
        who: 'model',
        title: textOf(payload['kind']) || 'Note',
        text: textOf(payload['text']),
      };
    case 'model.completed':
      return tellAnswer(payload);
    case 'model.failed':
      return {
        who: 'model',
        tone: 'bad',
        title: `Attempt ${numberOf(payload['attempt']) ?? 1} failed`,
        text: faultText(payload),
      };
    case 'tool.call':
      return {
        who: 'tool',
        title: `Calls ${textOf(payload['tool'])}`,
        text: JSON.stringify(payload['input'] ?? {}),
      };
    case 'tool.result':
      return tellResult(payload);
    case 'policy.decision':
      return tellDecision(payload);
    case 'run.recovered':
      return {
        who: 'runtime',
        tone: 'wait',
        title: 'Taken up again',
        text: 'Whoever executed it was gone.',
      };
    case 'run.cancel_requested':
      return {
        who: 'person',
        tone: 'wait',
        title: 'Cancel asked for',
        text: textOf(payload['reason']),
      };
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      return tellEnd(payload);
    case 'run.started':
    case 'frame.ignored':
    case 'model.requested':
    case 'model.delta':
      return undefined;
  }
}

function tellAnswer(payload: JsonObject): Told {
  const calls = payload['tool_calls'];
  const count = Array.isArray(calls) ? calls.length : 0;
  const wants =
    count === 0 ? 'Answers' : `Says, and wants ${count} ${count === 1 ? 'call' : 'calls'}`;
  const duration = formatDuration(numberOf(payload['duration_ms']));
  return {
    who: 'model',
    title: `${wants} (turn ${numberOf(payload['turn']) ?? 0}, ${duration})`,
    text: textOf(payload['text']),
  };
}

function tellResult(payload: JsonObject): Told {
  const tool = textOf(payload['tool']);
  const duration = formatDuration(numberOf(payload['duration_ms']));
  if (payload['ok'] !== true) {
    return {
      who: 'tool',
      tone: 'bad',
      title: `${tool} failed (${duration})`,
      text: faultText(payload),
    };
  }
  return {
    who: 'tool',
    tone: 'ok',
    title: `${tool} is done (${duration})`,
    text: textOf(payload['summary']),
  };
}

function tellDecision(payload: JsonObject): Told {
  const tool = textOf(payload['tool']);
  if (payload['decision'] === 'ask') {
    return {
      who: 'person',
      tone: 'wait',
      title: `Asks a person about ${tool}`,
      text: textOf(payload['message']),
    };
  }
  if (payload['approval_id'] === undefined) {
    return {
      who: 'runtime',
      tone: 'bad',
      title: `Policy refuses ${tool}`,
      text: textOf(payload['message']),
    };
  }
  const by = textOf(payload['by']);
  const status = textOf(payload['status']);
  const isAllowed = payload['decision'] === 'allow';
  return {
    who: 'person',
    tone: isAllowed ? 'ok' : 'bad',
    title: `${tool}: ${status}${by === '' ? '' : ` by ${by}`}`,
    text: textOf(payload['note']),
  };
}

function tellEnd(payload: JsonObject): Told {
  const status = textOf(payload['status']);
  const fault = faultText(payload);
  const tone = status === 'completed' ? 'ok' : status === 'failed' ? 'bad' : 'wait';
  return {
    who: 'runtime',
    tone,
    title: `Ended: ${status}${fault === '' ? '' : ` (${fault})`}`,
    text: textOf(payload['output']),
  };
}

function faultText(payload: JsonObject): string {
  const fault = faultOf(payload['error']);
  return fault === undefined ? '' : `${fault.code}: ${fault.message}`;
}

/** For a file or a message to somebody. */
export function toPlainText(lines: readonly LogLine[]): string {
  const first = lines[0]?.atMs ?? 0;
  return lines
    .map(({ atMs, title, text }) => {
      const head = `+${((atMs - first) / 1_000).toFixed(3)} s  ${title}`;
      return text === '' ? head : `${head}\n${text.replaceAll(/^/gm, '    ')}`;
    })
    .join('\n');
}

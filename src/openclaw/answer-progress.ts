import type { JsonObject } from '../core/json.ts';
import type { ModelPart } from '../core/loop/model.ts';
import { objectOf, textOf } from './wire.ts';

/**
 * How far the answer to a question has come, by the events of the agent's run there. It outlives a connection: events
 * that come again on the next one are passed over.
 */
export interface AnswerProgress {
  /** What an event adds. */
  take(event: JsonObject): readonly ModelPart[];
  /** What was streamed of the newest message. */
  readonly text: string;
}

export function createAnswerProgress(): AnswerProgress {
  let lastSeq = -1;
  let item = '';
  let itemText = '';
  let isTold = false;
  let thinking = '';
  let hasStreamed = false;

  /** A message that something else follows was not the answer: the agent said it to itself. */
  function settle(): ModelPart[] {
    const parts: ModelPart[] = [];
    if (thinking !== '') parts.push({ type: 'note', kind: 'thought', text: thinking });
    thinking = '';
    if (itemText !== '' && !isTold) parts.push({ type: 'note', kind: 'thought', text: itemText });
    isTold = true;
    return parts;
  }

  function takeText(data: JsonObject): ModelPart[] {
    const said = textOf(data['text']) ?? '';
    const itemId = textOf(data['itemId']) ?? item;
    const parts: ModelPart[] = [];
    if (itemId !== item && itemText !== '') {
      parts.push(...settle());
      itemText = '';
    }
    if (thinking !== '') {
      parts.push({ type: 'note', kind: 'thought', text: thinking });
      thinking = '';
    }
    item = itemId;
    // What was streamed can't be taken back; the end brings the whole answer as it came to be.
    const isFurther = said.length > itemText.length && said.startsWith(itemText);
    if (isFurther) {
      const gap = itemText === '' && hasStreamed ? '\n\n' : '';
      parts.push({ type: 'text', delta: gap + said.slice(itemText.length) });
      hasStreamed = true;
      isTold = false;
    }
    if (said !== '') itemText = said;
    return parts;
  }

  return {
    get text() {
      return itemText;
    },
    take({ seq, stream, data: given }) {
      if (typeof seq === 'number') {
        if (seq <= lastSeq) return [];
        lastSeq = seq;
      }
      const data = objectOf(given);
      switch (stream) {
        case 'assistant':
          return takeText(data);
        case 'thinking':
          thinking = textOf(data['text']) ?? thinking + (textOf(data['delta']) ?? '');
          thinking = thinking.slice(0, MAX_THINKING_CHARS);
          return [];
        case 'tool':
          return takeTool(data, settle);
        case 'approval':
          return [...settle(), WAITS_FOR_APPROVAL];
        default:
          return [];
      }
    },
  };
}

/** Of one thought: an agent thinks on, and a log keeps far less. */
const MAX_THINKING_CHARS = 100_000;

const WAITS_FOR_APPROVAL: ModelPart = {
  type: 'note',
  kind: 'action',
  text: 'waits for an approval in OpenClaw',
};

function takeTool(data: JsonObject, settle: () => ModelPart[]): ModelPart[] {
  const callId = textOf(data['toolCallId']);
  const tool = textOf(data['name']);
  if (callId === undefined || tool === undefined) return [];
  if (data['phase'] === 'start') {
    return [...settle(), { type: 'remote_call', callId, tool, input: objectOf(data['args']) }];
  }
  if (data['phase'] !== 'result') return [];
  const output = data['result'] ?? null;
  return [{ type: 'remote_result', callId, tool, ok: data['isError'] !== true, output }];
}

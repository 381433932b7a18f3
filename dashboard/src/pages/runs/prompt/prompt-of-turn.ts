import { isJsonObject, type JsonObject, type JsonValue } from '../../../../../src/core/json.ts';
import { decodeCalls } from '../../../../../src/core/loop/record/encode-call.ts';
import { decodeMessages } from '../../../../../src/core/loop/record/encode-message.ts';
import { decodeFrame, messageTextOf } from '../../../../../src/core/threads/frame.ts';
import type { RunEvent } from '../../../api/use-run-events.ts';
import { faultOf, numberOf, objectOf, textOf } from '../timeline/payload.ts';

/** What the model got with one question, as far as the log of the run tells. */
export interface PromptOfTurn {
  readonly turn: number;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly PromptMessage[];
  /** Of the conversation before the run: they are kept with its session, and not in its log. */
  readonly earlierMessages: number;
  readonly toolsOffered: number;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant' | 'tool' | 'memory';
  /** Of a tool: which. */
  readonly name: string;
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly input: JsonValue }[];
}

export function listTurns(events: readonly RunEvent[]): readonly number[] {
  const turns = events.flatMap(({ event_type: type, payload }) =>
    type === 'model.requested' ? (numberOf((payload as JsonObject)['turn']) ?? []) : [],
  );
  return [...new Set(turns)];
}

/** Whether all of its prompt can be told. */
export function hasAnswer(events: readonly RunEvent[], turn: number): boolean {
  return events.some(
    ({ event_type: type, payload }) =>
      type === 'model.completed' && (payload as JsonObject)['turn'] === turn,
  );
}

/** Undefined until the turn was asked for. */
export function promptOfTurn(events: readonly RunEvent[], turn: number): PromptOfTurn | undefined {
  const talk = createTalk();
  for (const event of events) {
    const payload = event.payload as JsonObject;
    talk.add(event);
    if (event.event_type === 'model.requested' && payload['turn'] === turn) {
      const messages = talk.messages();
      return {
        turn,
        model: [textOf(payload['provider']), textOf(payload['model'])].filter(Boolean).join('/'),
        system: talk.system(),
        messages,
        earlierMessages: Math.max(0, (numberOf(payload['messages']) ?? 0) - messages.length),
        toolsOffered: numberOf(payload['tools']) ?? 0,
      };
    }
  }
  return undefined;
}

interface Waiting {
  readonly seq: number;
  readonly text: string;
}

/** The conversation as it grows. */
function createTalk() {
  let system = '';
  let messages: PromptMessage[] = [];
  let frames: Waiting[] = [];

  function request(payload: JsonObject): void {
    const through = numberOf(payload['frames_through']) ?? 0;
    messages.push(...frames.filter(({ seq }) => seq <= through).map(({ text }) => said(text)));
    frames = frames.filter(({ seq }) => seq > through);
    if (typeof payload['system'] === 'string') system = payload['system'];
    const { recalled } = payload;
    if (!isJsonObject(recalled)) return;
    const at = messages.findLastIndex(({ role }) => role === 'user');
    messages.splice(Math.max(at, 0), 0, { ...said(textOf(recalled['text'])), role: 'memory' });
  }

  return {
    system: () => system,
    messages: () => messages.slice(),
    add({ event_type: type, payload: given, seq }: RunEvent): void {
      const payload = given as JsonObject;
      // What a caller did in the run's name is not told to its model.
      if (payload['origin'] !== undefined) return;
      if (type === 'run.created') messages = begin(payload);
      if (type === 'frame.accepted') {
        const frame = decodeFrame(payload, seq);
        if (frame.kind === 'message') frames.push({ seq, text: messageTextOf(frame.payload) });
      }
      if (type === 'model.requested') request(payload);
      if (type === 'model.completed') messages.push(answerIn(payload));
      if (type === 'tool.result') messages.push(resultIn(payload));
    },
  };
}

function said(text: string): PromptMessage {
  return { role: 'user', name: '', text, calls: [] };
}

/** A fork knows what the run before it knew; a caller may have given the whole conversation. */
function begin(payload: JsonObject): PromptMessage[] {
  if (payload['thread_id'] !== undefined) return [];
  const given = payload['history'] ?? payload['prompt'];
  if (!isJsonObject(given)) return [said(textOf(payload['message']))];
  return decodeMessages(given['messages']).map((message) => ({
    role: message.role,
    name: message.role === 'tool' ? message.tool : '',
    text: message.text,
    calls: message.role === 'assistant' ? message.toolCalls : [],
  }));
}

function answerIn(payload: JsonObject): PromptMessage {
  const calls = decodeCalls(payload['tool_calls']);
  return { role: 'assistant', name: '', text: textOf(payload['text']), calls };
}

function resultIn(payload: JsonObject): PromptMessage {
  const fault = faultOf(payload['error']);
  const text =
    fault === undefined
      ? JSON.stringify(objectOf(payload['output']))
      : `error ${fault.code}: ${fault.message}`;
  return { role: 'tool', name: textOf(payload['tool']), text, calls: [] };
}

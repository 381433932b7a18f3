import type { AnswerEnd, AnswerPart } from '../../core/completions/answer.ts';
import type { AnswerCall } from '../../core/completions/answer-calls.ts';
import type { Exchange } from '../../core/completions/follow-answer.ts';
import type { SseFrame } from '../http/streams/sse-frame.ts';
import {
  beginResponse,
  encodeCallItem,
  encodeMessageItem,
  encodeResponse,
  encodeText,
  toMessageId,
} from './encode-response.ts';
import type { ResponsesBody } from './responses-schema.ts';

interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

const TEXT_PLACE = { output_index: 0, content_index: 0 } as const;

/** The events of one answer, numbered from 0: its text is one item, and each call another. */
export function createResponseEncoder(
  body: ResponsesBody,
  exchange: Exchange,
): (part: AnswerPart) => SseFrame[] {
  const itemId = toMessageId(exchange);
  let isTextOpen = false;
  let items = 0;
  let number = 0;

  function toFrame({ type, ...rest }: WireEvent): SseFrame {
    const data = JSON.stringify({ type, sequence_number: number, ...rest });
    number += 1;
    return { event: type, data };
  }

  function openText(): WireEvent[] {
    if (isTextOpen) return [];
    isTextOpen = true;
    items += 1;
    const item = encodeMessageItem(exchange, undefined, 'in_progress');
    const place = { item_id: itemId, ...TEXT_PLACE };
    return [
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.content_part.added', ...place, part: encodeText('') },
    ];
  }

  function closeText(text: string, status: 'completed' | 'incomplete'): WireEvent[] {
    if (!isTextOpen) return [];
    isTextOpen = false;
    const place = { item_id: itemId, ...TEXT_PLACE };
    const item = encodeMessageItem(exchange, text, status);
    return [
      { type: 'response.output_text.done', ...place, text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part: encodeText(text) },
      { type: 'response.output_item.done', output_index: 0, item },
    ];
  }

  function tellCall(call: AnswerCall): WireEvent[] {
    const item = encodeCallItem(call, true);
    const place = { item_id: item.id, output_index: items };
    const told = JSON.stringify(call.input);
    items += 1;
    return [
      {
        type: 'response.output_item.added',
        output_index: place.output_index,
        item: encodeCallItem(call, false),
      },
      { type: 'response.function_call_arguments.delta', ...place, delta: told },
      {
        type: 'response.function_call_arguments.done',
        ...place,
        name: call.tool,
        arguments: told,
      },
      { type: 'response.output_item.done', output_index: place.output_index, item },
    ];
  }

  function tellEnd(end: AnswerEnd): WireEvent[] {
    const response = encodeResponse(body, exchange, end);
    // An answer without a word has an item all the same.
    const opened = response.output.length > items ? openText() : [];
    const closed = closeText(
      end.text,
      response.status === 'incomplete' ? 'incomplete' : 'completed',
    );
    return [...opened, ...closed, { type: `response.${response.status}`, response }];
  }

  function encode(part: AnswerPart): WireEvent[] {
    switch (part.type) {
      case 'begin': {
        const response = beginResponse(body, exchange, part.atMs);
        return [
          { type: 'response.created', response },
          { type: 'response.in_progress', response },
        ];
      }
      case 'text': {
        const delta = { item_id: itemId, ...TEXT_PLACE, delta: part.delta, logprobs: [] };
        return [...openText(), { type: 'response.output_text.delta', ...delta }];
      }
      case 'call':
        return [...closeText(part.text, 'completed'), ...tellCall(part.call)];
      case 'end':
        return tellEnd(part.end);
    }
  }

  return (part) => encode(part).map(toFrame);
}

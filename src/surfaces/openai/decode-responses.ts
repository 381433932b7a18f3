import { parseAnswerRef, parseCallId } from '../../core/completions/answer-ref.ts';
import type { CompletionRequest } from '../../core/completions/completions.ts';
import type { GivenContent, GivenMessage } from '../../core/completions/given-message.ts';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { SessionId } from '../../core/ids.ts';
import { checkText, decodeArguments, decodeText } from './decode-content.ts';
import { decodeFormat, decodeSettings, listManner } from './decode-settings.ts';
import { decodeToolChoice, decodeTools } from './decode-tools.ts';
import { CALL_ITEM, MESSAGE_ITEM, RESPONSE } from './item-ids.ts';
import {
  invalid,
  isFilled,
  isSet,
  refuseUnserved,
  type UnservedFields,
  unsupported,
} from './refuse.ts';
import type { ResponsesBody } from './responses-schema.ts';

export const RESPONSES_UNSERVED: UnservedFields = {
  background: [isSet, 'is not supported: every call goes on without its caller'],
  conversation: [isSet, 'is not supported: use previous_response_id'],
  prompt: [isSet, 'is not supported: send the text itself'],
  max_tool_calls: [isSet, 'is not supported'],
  top_logprobs: [isSet, 'is not supported'],
  context_management: [isFilled, 'is not supported'],
  truncation: [(value) => isSet(value) && value !== 'disabled', 'must be disabled'],
};

const SETTING_NAMES = { maxOutputTokens: 'max_output_tokens', json: 'text.format' };

export function decodeResponses(body: ResponsesBody): CompletionRequest {
  refuseUnserved(body, RESPONSES_UNSERVED);
  const clientTools = decodeTools(body.tools, 'tool');
  const settings = {
    ...decodeSettings(body),
    ...defined({
      maxOutputTokens: body.max_output_tokens ?? undefined,
      json: decodeFormat(body.text?.format, 'text.format', 'format'),
      toolChoice: decodeToolChoice(body.tool_choice, clientTools),
    }),
  };
  const items = typeof body.input === 'string' ? [toUserItem(body.input)] : body.input;
  const given = items.map((item, index) => ({ item, field: `input[${index}]` }));
  const { session_id: sessionId, project_id: projectId } = body.metadata ?? {};
  return {
    model: body.model,
    prompt: {
      instructions: checkText(body.instructions ?? '', 'instructions'),
      system: given.flatMap(({ item, field }) =>
        isSystem(item) ? [decodeText(item['content'], `${field}.content`)] : [],
      ),
      clientTools,
      settings,
    },
    manner: listManner({ clientTools, settings }, SETTING_NAMES),
    messages: given.flatMap(({ item, field }): GivenMessage[] => {
      if (isSystem(item) || item['type'] === 'reasoning') return [];
      return [{ field, content: decodeItem(item, field) }];
    }),
    ...decodePrevious(body),
    ...defined({ sessionId: sessionId as SessionId | undefined, projectId }),
  };
}

type Item = Readonly<Record<string, unknown>>;

function toUserItem(content: string): Item {
  return { role: 'user', content };
}

function isSystem({ type = 'message', role }: Item): boolean {
  return type === 'message' && (role === 'system' || role === 'developer');
}

function decodeItem(item: Item, field: string): GivenContent {
  switch (item['type'] ?? 'message') {
    case 'message':
      return decodeMessage(item, field);
    case 'function_call': {
      const callId = checkText(item['call_id'], `${field}.call_id`);
      const tool = checkText(item['name'], `${field}.name`);
      const call = decodeArguments(checkText(item['arguments'] ?? '', `${field}.arguments`));
      return { role: 'assistant', text: '', toolCalls: [{ callId, tool, ...call }] };
    }
    case 'function_call_output': {
      const callId = checkText(item['call_id'], `${field}.call_id`);
      return { role: 'tool', callId, text: decodeText(item['output'], `${field}.output`) };
    }
    case 'item_reference':
      return decodeReference(item['id'], `${field}.id`);
    default:
      throw unsupported(`${field}.type`, 'is not supported: only text and function calls are');
  }
}

function decodeMessage({ role, content }: Item, field: string): GivenContent {
  const text = decodeText(content, `${field}.content`);
  if (role === 'user') return { role, text };
  if (role === 'assistant') return { role, text, toolCalls: [] };
  throw invalid(`${field}.role`, 'must be one of system, developer, user, assistant');
}

/** An item of an answer of ours, by its id. */
function decodeReference(id: unknown, field: string): GivenContent {
  const text = checkText(id, field);
  const answer = text.startsWith(MESSAGE_ITEM) && parseAnswerRef(text.slice(MESSAGE_ITEM.length));
  if (answer) return { role: 'answer', ref: answer };
  const call = text.startsWith(CALL_ITEM) && parseCallId(text.replace(CALL_ITEM, 'call_'));
  if (call) return { role: 'call', ref: call };
  throw invalid(field, 'refers to an item that does not exist');
}

function decodePrevious({ previous_response_id: id }: ResponsesBody) {
  if (id === undefined || id === null) return {};
  const previous = id.startsWith(RESPONSE) ? parseAnswerRef(id.slice(RESPONSE.length)) : undefined;
  if (previous) return { previous };
  throw new RuntimeError('not_found', 'there is no such previous response', {
    details: { thing: 'previous_response', field: 'previous_response_id' },
  });
}

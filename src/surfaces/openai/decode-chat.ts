import type { CompletionRequest } from '../../core/completions/completions.ts';
import type { GivenContent, GivenMessage } from '../../core/completions/given-message.ts';
import { defined } from '../../core/defined.ts';
import type { SessionId } from '../../core/ids.ts';
import { isJsonObject } from '../../core/json.ts';
import type { ToolRequest } from '../../core/loop/model.ts';
import type { ChatBody } from './chat-schema.ts';
import { checkText, decodeArguments, decodeText } from './decode-content.ts';
import {
  decodeFormat,
  decodeSettings,
  decodeStop,
  listManner,
  type SettingNames,
} from './decode-settings.ts';
import { decodeToolChoice, decodeTools } from './decode-tools.ts';
import { invalid, isFilled, isSet, refuseUnserved, type UnservedFields } from './refuse.ts';

export const CHAT_UNSERVED: UnservedFields = {
  n: [(value) => isSet(value) && value !== 1, 'must be 1: ask again for another answer'],
  logprobs: [isSet, 'is not supported'],
  top_logprobs: [isSet, 'is not supported'],
  logit_bias: [isFilled, 'is not supported'],
  audio: [isSet, 'is not supported: answers are text'],
  modalities: [
    (value) => Array.isArray(value) && value.some((one) => one !== 'text'),
    'must be ["text"]',
  ],
  functions: [isFilled, 'is not supported: use tools'],
  function_call: [isSet, 'is not supported: use tool_choice'],
  web_search_options: [isSet, 'is not supported: the tools of the agent are its own'],
};

type Message = ChatBody['messages'][number];

export function decodeChat(body: ChatBody): CompletionRequest {
  refuseUnserved(body, CHAT_UNSERVED);
  const clientTools = decodeTools(body.tools, 'function');
  const settings = {
    ...decodeSettings(body),
    ...defined({
      maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
      stop: decodeStop(body.stop),
      json: decodeFormat(body.response_format, 'response_format', 'json_schema'),
      toolChoice: decodeToolChoice(body.tool_choice, clientTools),
    }),
  };
  const given = body.messages.map((message, index) => ({ message, field: `messages[${index}]` }));
  const isSystem = ({ message: { role } }: { message: Message }) =>
    role === 'system' || role === 'developer';
  const { session_id: sessionId, project_id: projectId } = body.metadata ?? {};
  return {
    model: body.model,
    prompt: {
      instructions: '',
      system: given
        .filter(isSystem)
        .map(({ message, field }) => decodeText(message.content, `${field}.content`)),
      clientTools,
      settings,
    },
    manner: listManner({ clientTools, settings }, nameSettings(body)),
    messages: given.filter((one) => !isSystem(one)).map(decodeMessage),
    ...defined({ sessionId: sessionId as SessionId | undefined, projectId }),
  };
}

function nameSettings({ max_completion_tokens: newer }: ChatBody): SettingNames {
  const isNewer = newer !== undefined && newer !== null;
  return {
    maxOutputTokens: isNewer ? 'max_completion_tokens' : 'max_tokens',
    json: 'response_format',
  };
}

function decodeMessage({ message, field }: { message: Message; field: string }): GivenMessage {
  return { field, content: decodeGiven(message, field) };
}

function decodeGiven(message: Message, field: string): GivenContent {
  const { role, content } = message;
  switch (role) {
    case 'tool': {
      const callId = checkText(message['tool_call_id'], `${field}.tool_call_id`);
      return { role, callId, text: decodeText(content, `${field}.content`) };
    }
    case 'assistant': {
      const toolCalls = decodeCalls(message['tool_calls'], `${field}.tool_calls`);
      const isSilent = content === undefined || content === null;
      if (isSilent && toolCalls.length === 0) throw invalid(`${field}.content`, 'is required');
      const text = isSilent ? '' : decodeText(content, `${field}.content`);
      return { role, text, toolCalls };
    }
    default:
      return { role: 'user', text: decodeText(content, `${field}.content`) };
  }
}

function decodeCalls(calls: unknown, field: string): ToolRequest[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) throw invalid(field, 'must be an array');
  return calls.map((call, index) => {
    const at = `${field}[${index}]`;
    const { id, function: called } = isJsonObject(call) ? call : {};
    if (!isJsonObject(called)) throw invalid(`${at}.function`, 'must be an object');
    return {
      callId: checkText(id, `${at}.id`),
      tool: checkText(called['name'], `${at}.function.name`),
      ...decodeArguments(checkText(called['arguments'] ?? '', `${at}.function.arguments`)),
    };
  });
}

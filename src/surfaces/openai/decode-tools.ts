import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { ModelSettings } from '../../core/loop/model.ts';
import type { ClientTool } from '../../core/threads/client-tool.ts';
import { checkText } from './decode-content.ts';
import { invalid, unsupported } from './refuse.ts';

const NAME_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_TOOLS = 128;
const ANY_INPUT = { type: 'object' } as const;

/** Where a tool says what it is: Chat Completions in `function`, Responses in the tool itself. */
export type ToolPlace = 'function' | 'tool';

export function decodeTools(given: unknown, place: ToolPlace): ClientTool[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw invalid('tools', 'must be an array');
  if (given.length > MAX_TOOLS) throw invalid('tools', `must have at most ${MAX_TOOLS} items`);
  return given.map((tool, index) => decodeTool(tool, place, `tools[${index}]`));
}

function decodeTool(tool: unknown, place: ToolPlace, field: string): ClientTool {
  if (!isJsonObject(tool)) throw invalid(field, 'must be an object');
  if (tool['type'] !== 'function') {
    throw unsupported(`${field}.type`, 'must be function: other tools are those of the agent');
  }
  const told = place === 'tool' ? tool : tool['function'];
  const at = place === 'tool' ? field : `${field}.function`;
  if (!isJsonObject(told)) throw invalid(at, 'must be an object');
  const { name, description, parameters } = told;
  if (typeof name !== 'string' || !NAME_PATTERN.test(name)) {
    throw invalid(`${at}.name`, 'must be 1 to 64 letters, digits, _ or -');
  }
  return {
    name,
    description: checkText(description ?? '', `${at}.description`),
    inputSchema: decodeParameters(parameters, `${at}.parameters`),
  };
}

function decodeParameters(parameters: unknown, field: string): JsonObject {
  if (parameters === undefined || parameters === null) return ANY_INPUT;
  if (!isJsonObject(parameters)) throw invalid(field, 'must be an object');
  return parameters;
}

type ToolChoice = ModelSettings['toolChoice'];

/** `undefined`: the model decides. */
export function decodeToolChoice(choice: unknown, tools: readonly ClientTool[]): ToolChoice {
  if (choice === undefined || choice === null || choice === 'auto') return undefined;
  if (choice === 'none') return choice;
  if (choice === 'required') {
    if (tools.length === 0) throw invalid('tool_choice', 'is required without tools');
    return choice;
  }
  const { type, name, function: told } = isJsonObject(choice) ? choice : {};
  if (type !== 'function') {
    throw unsupported('tool_choice', 'must be none, auto, required or a function');
  }
  const tool = isJsonObject(told) ? told['name'] : name;
  if (typeof tool === 'string' && tools.some((one) => one.name === tool)) return { tool };
  throw invalid('tool_choice', 'names a function that is not among tools');
}

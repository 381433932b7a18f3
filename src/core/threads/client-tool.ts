import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** A tool that the model may call and the product carries out: its result comes back as a frame. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, passed on to the model. */
  readonly inputSchema: JsonObject;
}

export function encodeClientTools(tools: readonly ClientTool[]): JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
}

export function decodeClientTools(value: JsonValue | undefined): ClientTool[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((tool) => ({
    name: String(tool['name']),
    description: String(tool['description'] ?? ''),
    inputSchema: isJsonObject(tool['input_schema']) ? tool['input_schema'] : {},
  }));
}

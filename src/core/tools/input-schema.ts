import * as z from 'zod';
import type { JsonObject } from '../json.ts';
import type { Tool } from './tool.ts';

/** The JSON Schema of what a tool takes, without the keyword that some providers refuse. */
export function inputSchemaOf(tool: Tool): JsonObject {
  const written = tool.inputSchema ?? z.toJSONSchema(tool.input, { io: 'input' });
  const { $schema: _dialect, ...schema } = written;
  return schema as JsonObject;
}

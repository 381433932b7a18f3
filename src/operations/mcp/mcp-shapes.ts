import { z } from 'zod';
import { anyJson, isoDate, storable, toolName } from '../fields.ts';

const MAX_SERVER_CHARS = 128;

export const mcpServerList = z.object({
  servers: z.array(
    z.object({
      name: z.string(),
      transport: z.enum(['stdio', 'http']).nullable(),
      state: z.enum(['connecting', 'ready', 'waiting', 'invalid', 'disabled', 'closed']),
      last_error: z.object({ phase: z.string(), message: z.string(), at: isoDate }).nullable(),
      next_retry_at: isoDate.nullable(),
      server_info: z.object({ name: z.string(), version: z.string() }).nullable(),
      protocol_version: z.string().nullable(),
      tools: z.array(
        z.object({
          name: z.string().meta({ description: 'As agents call it.' }),
          tool: z.string().meta({ description: 'As the server calls it.' }),
          status: z.enum(['approved', 'pending', 'changed']),
          hash: z.string(),
        }),
      ),
      rejected_tools: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  ),
});

export const toolPin = z.object({
  server: z.string(),
  tool: z.string(),
  status: z.enum(['approved', 'pending', 'changed']),
  hash: z.string(),
  approved_at: isoDate.nullable(),
});

const toolDeclaration = z.object({
  description: z.string(),
  input_schema: z.record(z.string(), anyJson),
  annotations: z.record(z.string(), anyJson),
});

export const mcpTool = toolPin.extend({
  seen: toolDeclaration.meta({ description: 'As the server shows it now, which `hash` is of.' }),
  seen_at: isoDate,
  approved: toolDeclaration
    .nullable()
    .meta({ description: 'As somebody agreed to it; null until then.' }),
});

export const mcpToolParams = z.strictObject({
  server: storable(MAX_SERVER_CHARS).min(1),
  tool: toolName.meta({ description: 'As the server calls it.' }),
});

export const approveToolBody = z
  .strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits' })
      .optional()
      .meta({ description: 'What was looked at; 409 when the server shows something else now.' }),
  })
  .nullable();

export type McpServerListShape = z.infer<typeof mcpServerList>;
export type McpServerShape = McpServerListShape['servers'][number];
export type McpToolShape = z.infer<typeof mcpTool>;
export type ToolPinShape = z.infer<typeof toolPin>;

import { z } from 'zod';

/** As `/api/admin/mcp` answers, with a server and without one. */
export const mcpServerList = z.object({
  servers: z.array(
    z.object({
      name: z.string(),
      transport: z.enum(['stdio', 'http']).nullable(),
      state: z.enum(['connecting', 'ready', 'waiting', 'invalid', 'disabled', 'closed']),
      last_error: z.object({ phase: z.string(), message: z.string(), at: z.string() }).nullable(),
      next_retry_at: z.string().nullable(),
      server_info: z.object({ name: z.string(), version: z.string() }).nullable(),
      protocol_version: z.string().nullable(),
      tools: z.array(
        z.object({
          name: z.string(),
          tool: z.string(),
          status: z.enum(['approved', 'pending', 'changed']),
          hash: z.string(),
        }),
      ),
      rejected_tools: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  ),
});

export const mcpToolPin = z.object({
  server: z.string(),
  tool: z.string(),
  status: z.enum(['approved', 'pending', 'changed']),
  hash: z.string(),
  approved_at: z.string().nullable(),
});

export type McpServerListShape = z.infer<typeof mcpServerList>;
export type McpServerShape = McpServerListShape['servers'][number];
export type McpToolPinShape = z.infer<typeof mcpToolPin>;

/** External tool servers, for those who look at them and approve what their tools say. */
export interface McpAccess {
  list(): Promise<McpServerListShape>;
  /** Throws `not_found` for an unknown server or tool, `conflict` when `hash` is not what the server shows now. */
  approve(request: McpApproval): Promise<McpToolPinShape>;
}

export interface McpApproval {
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  /** What was looked at. */
  readonly hash?: string;
}

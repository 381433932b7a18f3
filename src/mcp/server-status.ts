import type { PinStatus } from '../core/tools/tool-pin.ts';

/** How one configured server is doing, for doctor, status pages and people who approve tools. */
export interface McpServerStatus {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | undefined;
  /** `waiting` failed and will be tried again; `invalid` can't be read from the configuration and never will. */
  readonly state: 'connecting' | 'ready' | 'waiting' | 'invalid' | 'disabled' | 'closed';
  readonly lastError: ServerFault | undefined;
  readonly nextRetryAtMs: number | undefined;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly protocolVersion: string | undefined;
  readonly tools: readonly McpToolStatus[];
  readonly rejectedTools: readonly { readonly name: string; readonly reason: string }[];
}

export interface ServerFault {
  readonly phase: 'config_load' | 'initialize_handshake' | 'tool_discovery' | 'invocation';
  readonly message: string;
  readonly atMs: number;
}

export interface McpToolStatus {
  /** As models call it. */
  readonly name: string;
  /** As the server calls it. */
  readonly tool: string;
  readonly status: PinStatus;
  readonly hash: string;
}

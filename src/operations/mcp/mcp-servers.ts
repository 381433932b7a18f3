import type { PinStatus, ToolPin } from '../../core/tools/tool-pin.ts';

/** The external servers of a runtime, as far as operators see them. */
export interface McpServers {
  /** May wait until they were tried, where they have just been started. */
  status(): readonly McpServer[] | Promise<readonly McpServer[]>;
  /** What a tool says about itself, and what was approved of that. Throws `not_found` for an unknown server or tool. */
  getPin(place: { readonly server: string; readonly tool: string }): Promise<ToolPin>;
  /** Throws `not_found` for an unknown server or tool, `conflict` when `hash` is not what the server shows now. */
  approve(request: {
    readonly server: string;
    readonly tool: string;
    readonly hash?: string;
  }): Promise<ToolPin>;
}

export interface McpServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | undefined;
  readonly state: 'connecting' | 'ready' | 'waiting' | 'invalid' | 'disabled' | 'closed';
  readonly lastError:
    | { readonly phase: string; readonly message: string; readonly atMs: number }
    | undefined;
  readonly nextRetryAtMs: number | undefined;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly protocolVersion: string | undefined;
  readonly tools: readonly {
    readonly name: string;
    readonly tool: string;
    readonly status: PinStatus;
    readonly hash: string;
  }[];
  readonly rejectedTools: readonly { readonly name: string; readonly reason: string }[];
}

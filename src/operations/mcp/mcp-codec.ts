import { toIso } from '../../core/clock.ts';
import { pinStatus, type ToolDeclaration, type ToolPin } from '../../core/tools/tool-pin.ts';
import type { McpServer } from './mcp-servers.ts';
import type {
  McpServerListShape,
  McpServerShape,
  McpToolShape,
  ToolPinShape,
} from './mcp-shapes.ts';

export function encodeServers(servers: readonly McpServer[]): McpServerListShape {
  return { servers: servers.map(encodeServer) };
}

function encodeServer(server: McpServer): McpServerShape {
  const { lastError, nextRetryAtMs, serverInfo } = server;
  return {
    name: server.name,
    transport: server.transport ?? null,
    state: server.state,
    last_error:
      lastError === undefined
        ? null
        : { phase: lastError.phase, message: lastError.message, at: toIso(lastError.atMs) },
    next_retry_at: nextRetryAtMs === undefined ? null : toIso(nextRetryAtMs),
    server_info:
      serverInfo === undefined ? null : { name: serverInfo.name, version: serverInfo.version },
    protocol_version: server.protocolVersion ?? null,
    tools: server.tools.map(({ name, tool, status, hash }) => ({ name, tool, status, hash })),
    rejected_tools: server.rejectedTools.map(({ name, reason }) => ({ name, reason })),
  };
}

export function encodePin(pin: ToolPin): ToolPinShape {
  return {
    server: pin.server,
    tool: pin.tool,
    status: pinStatus(pin),
    hash: pin.seenHash,
    approved_at: pin.approvedAtMs === undefined ? null : toIso(pin.approvedAtMs),
  };
}

export function encodeToolDeclarations(pin: ToolPin): McpToolShape {
  return {
    ...encodePin(pin),
    seen: encodeDeclaration(pin.seen),
    seen_at: toIso(pin.seenAtMs),
    approved: pin.approved === undefined ? null : encodeDeclaration(pin.approved),
  };
}

function encodeDeclaration({ description, inputSchema, annotations }: ToolDeclaration) {
  return { description, input_schema: { ...inputSchema }, annotations: { ...annotations } };
}

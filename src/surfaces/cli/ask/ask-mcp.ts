import type { McpReading, McpWriting } from '../../../operations/mcp/mcp.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, type Place } from './place.ts';

// Servers are named in a configuration: where none is, there is nothing to list or approve.
const connect = fromRuntime(({ mcp }) => ({ mcp }), { isLooking: true });

const MCP: Place<McpReading, McpWriting> = { read: connect, write: connect };

export const askMcp = askAt(MCP);

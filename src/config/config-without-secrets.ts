import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { blankMcpServers, type McpServers } from './mcp-secrets.ts';

/** The text of a configuration file without keys of providers and without what MCP servers are told in secret. */
export function configWithoutSecrets(text: string): string {
  const document: unknown = JSON.parse(text);
  if (!isJsonObject(document)) return text;
  const { providers, mcpServers, ...rest } = document;
  const clean = {
    ...rest,
    ...(isJsonObject(providers) ? { providers: withoutKeys(providers) } : {}),
    // Its shape is checked when it is used, as everywhere.
    ...(isJsonObject(mcpServers) ? { mcpServers: blankMcpServers(mcpServers as McpServers) } : {}),
  };
  return `${JSON.stringify(clean, null, 2)}\n`;
}

function withoutKeys(providers: JsonObject): JsonObject {
  const entries = Object.entries(providers).map(([name, provider]) => [name, dropKey(provider)]);
  return Object.fromEntries(entries);
}

function dropKey(provider: JsonValue): JsonValue {
  if (!isJsonObject(provider)) return provider;
  const { api_key: _, ...rest } = provider;
  return rest;
}

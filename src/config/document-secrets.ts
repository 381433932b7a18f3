import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { DeepReadonly } from './deep-freeze.ts';
import { blankMcpServers } from './mcp-secrets.ts';
import type { ParsedConfig } from './schema/schema.ts';

/** The document as it may be shown: a stored key is an empty text, and what MCP servers are told is struck out. */
export function blankSecrets(document: DeepReadonly<ParsedConfig>): JsonObject {
  const providers = Object.entries(document.providers).map(([name, provider]) => [
    name,
    'api_key' in provider ? { ...provider, api_key: '' } : { ...provider },
  ]);
  const blanked = {
    ...document,
    providers: Object.fromEntries(providers),
    mcpServers: blankMcpServers(document.mcpServers),
  };
  // Everything in it came from JSON.
  return structuredClone(blanked) as unknown as JsonObject;
}

/** The document without keys that are blank: such a key is one that was shown blank, and stays. */
export function dropBlankKeys(document: JsonObject): JsonObject {
  const { providers } = document;
  if (!isJsonObject(providers)) return document;
  return { ...document, providers: mapMembers(providers, dropBlankKey) };
}

function dropBlankKey(provider: JsonValue): JsonValue {
  if (!isJsonObject(provider) || provider['api_key'] !== '') return provider;
  const { api_key: _, ...rest } = provider;
  return rest;
}

function mapMembers(object: JsonObject, map: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../core/json.ts';
import { REDACTED } from '../core/redact/redact.ts';
import type { ConfigProblem } from './config-problem.ts';
import { blankMcpServers, listSecretMembers } from './mcp-secrets.ts';

const TOLD = ['env', 'headers'] as const;

/** Entries of `mcpServers` with the stored values where they still hold what is shown in place of them. */
export function restoreMcpSecrets(servers: JsonObject, stored: JsonObject): JsonObject {
  const shown = blankMcpServers(stored as Parameters<typeof blankMcpServers>[0]) as JsonObject;
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const [old, blanked] = [findMember(stored, name), findMember(shown, name)];
      if (!isJsonObject(old) || blanked === undefined) return [name, server];
      return [name, fillBlanks(restore(server, old, blanked), old)];
    }),
  );
}

/** The same, keeping secret variables and headers that an entry leaves out. */
export function keepMcpSecrets(servers: JsonObject, stored: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const old = findMember(stored, name);
      return [name, isJsonObject(server) && isJsonObject(old) ? keepLeftOut(server, old) : server];
    }),
  );
}

/** What is still struck out after restoring has no value that could be stored. */
export function findStruckOut(
  servers: JsonValue | undefined,
  stored: JsonValue | undefined,
): ConfigProblem[] {
  if (!isJsonObject(servers)) return [];
  const old = isJsonObject(stored) ? stored : {};
  return Object.entries(servers)
    .filter(([name, server]) => !isDeepStrictEqual(server, findMember(old, name)))
    .filter(([, server]) => JSON.stringify(server).includes(REDACTED))
    .map(([name]) => ({
      field: `mcpServers.${name}`,
      problem: `holds ${REDACTED} where no value is stored for it`,
      fix: 'write the value itself',
    }));
}

function restore(value: JsonValue, old: JsonValue, shown: JsonValue): JsonValue {
  if (isDeepStrictEqual(value, shown)) return old;
  if (Array.isArray(value) && Array.isArray(old) && Array.isArray(shown)) {
    return value.map((item, index) => restoreItem(value, index, { old, shown }) ?? item);
  }
  if (!isJsonObject(value) || !isJsonObject(old) || !isJsonObject(shown)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const [oldMember, shownMember] = [findMember(old, name), findMember(shown, name)];
      const isKnown = oldMember !== undefined && shownMember !== undefined;
      return [name, isKnown ? restore(member, oldMember, shownMember) : member];
    }),
  );
}

/**
 * Arguments move when one is added or removed, so an item is found by how it was shown. Where several look alike, the
 * one behind the same argument is meant; if that does not tell either, none is taken: a wrong secret in the wrong
 * place would go to somebody it is not for.
 */
function restoreItem(
  items: JsonArray,
  index: number,
  { old, shown }: { readonly old: JsonArray; readonly shown: JsonArray },
): JsonValue | undefined {
  const alike = [...shown.keys()].filter((at) => isDeepStrictEqual(shown[at], items[index]));
  const behind = alike.filter((at) => isDeepStrictEqual(shown[at - 1], items[index - 1]));
  return findOnly(alike, old) ?? findOnly(behind, old);
}

function findOnly(indexes: readonly number[], old: JsonArray): JsonValue | undefined {
  const [first, ...others] = indexes.map((at) => old[at]);
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined;
}

/** An empty text where a secret is stored is a field that somebody cleared for showing. */
function fillBlanks(server: JsonValue, old: JsonObject): JsonValue {
  if (!isJsonObject(server)) return server;
  const filled = TOLD.flatMap((member) => {
    const told = server[member];
    if (!isJsonObject(told)) return [];
    const secrets = listSecretMembers(old, member).filter(([name]) => told[name] === '');
    return [[member, { ...told, ...Object.fromEntries(secrets) }]];
  });
  return { ...server, ...Object.fromEntries(filled) };
}

function keepLeftOut(server: JsonObject, old: JsonObject): JsonObject {
  const kept = TOLD.flatMap((member) => {
    const secrets = Object.fromEntries(listSecretMembers(old, member));
    const told = server[member] ?? {};
    if (Object.keys(secrets).length === 0 || !isJsonObject(told)) return [];
    return [[member, { ...secrets, ...told }]];
  });
  return { ...server, ...Object.fromEntries(kept) };
}

function findMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

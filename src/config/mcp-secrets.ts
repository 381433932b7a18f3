import type { JsonObject } from '../core/json.ts';
import { createRedactor } from '../core/redact/create-redactor.ts';
import { REDACTED } from '../core/redact/redact.ts';
import { findSecrecy } from '../core/redact/secret-names.ts';
import type { DeepReadonly } from './deep-freeze.ts';
import { listUrlPasswords } from './list-url-passwords.ts';
import type { ParsedConfig } from './schema/schema.ts';

/** Entries of `mcpServers` by name. What is in one is checked later, so nothing here may rely on its shape. */
export type McpServers = DeepReadonly<ParsedConfig['mcpServers']>;
export type McpServer = McpServers[string];

/** Shorter values are settings such as `true` or `8080`; taking them for secrets would strike them everywhere. */
const MIN_SECRET_CHARS = 8;

/** Names of headers that let somebody in, beside those that look secret by themselves. */
const OPENING_HEADER = /auth|token|secret|cookie|api-?key|credential/i;

/** What servers are told that must not appear anywhere else. */
export function listMcpSecrets(servers: McpServers): string[] {
  return Object.values(servers).flatMap((server) => [
    ...listSecretMembers(server, 'env').flatMap(toValue),
    ...listSecretMembers(server, 'headers').flatMap(toHeaderSecrets),
    ...listUrlSecrets(server['url']),
    ...toArguments(server['args']).filter(isSecret).flatMap(toValue),
  ]);
}

/** The variables or headers of a server that hold a secret. */
export function listSecretMembers(server: McpServer, member: 'env' | 'headers'): readonly Named[] {
  const members = textMembers(server[member]);
  if (member === 'env') return members.filter(isSecret);
  return members.filter(([name, value]) => OPENING_HEADER.test(name) || isSecret([name, value]));
}

/** The same servers with every variable and header blank, for the config that is printed. */
export function blankMcpServers(servers: McpServers): ParsedConfig['mcpServers'] {
  // Secrets also stand in arguments and URLs, between things an operator wants to see.
  const redactor = createRedactor({ secrets: () => listMcpSecrets(servers) });
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      // It was parsed from JSON.
      { ...redactor.redact(withoutValues(server) as JsonObject, 'mcpServers').value },
    ]),
  );
}

function withoutValues(server: McpServer): McpServer {
  const blanked = ['env', 'headers'].filter((name) => Object.hasOwn(server, name));
  return { ...server, ...Object.fromEntries(blanked.map((name) => [name, blank(server[name])])) };
}

function blank(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return REDACTED;
  return Object.fromEntries(Object.keys(value).map((name) => [name, REDACTED]));
}

type Named = readonly [name: string, value: string];

function isSecret([name, value]: Named): boolean {
  return value.length >= MIN_SECRET_CHARS && findSecrecy(name) !== undefined;
}

function toValue([, value]: Named): string[] {
  return [value];
}

/** `Bearer x` is secret as a whole, and so is `x` where it stands alone. */
function toHeaderSecrets([, value]: Named): string[] {
  const bare = /^\S+\s+(\S+)$/.exec(value.trim())?.[1];
  return bare === undefined || bare.length < MIN_SECRET_CHARS ? [value] : [value, bare];
}

function textMembers(value: unknown): Named[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string';
  });
}

function listUrlSecrets(value: unknown): string[] {
  if (typeof value !== 'string' || !URL.canParse(value)) return [];
  const parameters = [...new URL(value).searchParams].filter(isSecret).flatMap(toValue);
  return [...listUrlPasswords(value), ...parameters];
}

/** `--api-key=x` and `--api-key x`. */
function toArguments(value: unknown): Named[] {
  const texts = Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' ? one : ''))
    : [];
  return texts.map((text, index): Named => {
    const assigned = /^-*([^=\s]+)=(.*)$/s.exec(text);
    if (assigned !== null) return [assigned[1] ?? '', assigned[2] ?? ''];
    const before = texts[index - 1] ?? '';
    return before.startsWith('-') && !text.startsWith('-') ? [before, text] : ['', text];
  });
}

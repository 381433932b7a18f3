import { createHash } from 'node:crypto';

/** What providers take for a tool's name. */
const MAX_NAME_CHARS = 64;
const DIGEST_CHARS = 8;

/**
 * `mcp__<server>__<tool>` for each tool of a server. A name that does not fit, and every one of several tools whose
 * names would meet, ends in a digest of the tool's own name instead: the result depends on no order, and a tool that
 * joins later can never take over a name that was granted to another.
 */
export function nameTools(serverKey: string, tools: readonly string[]): Map<string, string> {
  const claims = new Map<string, number>();
  for (const tool of tools) {
    const key = plainName(serverKey, tool).toLowerCase();
    claims.set(key, (claims.get(key) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  for (const tool of tools) {
    const plain = plainName(serverKey, tool);
    const isAlone = claims.get(plain.toLowerCase()) === 1;
    names.set(tool, isAlone && plain.length <= MAX_NAME_CHARS ? plain : digested(plain, tool));
  }
  return names;
}

function plainName(serverKey: string, tool: string): string {
  return `mcp__${serverKey}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`;
}

function digested(plain: string, tool: string): string {
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, DIGEST_CHARS);
  return `${plain.slice(0, MAX_NAME_CHARS - DIGEST_CHARS - 1)}_${digest}`;
}

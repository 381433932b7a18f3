import * as z from 'zod';

/** One entry of `mcpServers`, as other programs write it, with our own options beside. */
const options = {
  disabled: z.boolean().default(false),
  /** Believe `readOnlyHint` and `idempotentHint`. Otherwise every tool counts as a write that must not repeat. */
  trust_annotations: z.boolean().default(false),
  /** False: a tool seen for the first time waits for approval. */
  approve_new_tools: z.boolean().default(true),
  call_timeout_ms: z.int().min(100).max(3_600_000).default(60_000),
  max_output_bytes: z
    .int()
    .min(1024)
    .max(8 * 1024 * 1024)
    .default(64 * 1024),
  /** `auto` asks first whether the server speaks the 2026 protocol; `legacy` starts with `initialize`. */
  protocol: z.enum(['legacy', 'auto']).default('legacy'),
};

const variables = z.record(z.string().regex(/^[^=\0]+$/), z.string().max(32 * 1024));

const stdioServer = z
  .strictObject({
    type: z.literal('stdio').optional(),
    command: z.string().min(1),
    args: z.array(z.string()).max(256).default([]),
    env: variables.default({}),
    /** Names taken over from our own environment, beside the few every program needs. */
    inherit_env: z.array(z.string().min(1)).max(64).default([]),
    cwd: z.string().min(1).optional(),
    ...options,
  })
  .transform((entry) => ({ ...entry, type: 'stdio' as const }));

const httpServer = z
  .strictObject({
    type: z.enum(['http', 'streamable-http']).optional(),
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string().min(1), z.string().max(32 * 1024)).default({}),
    ...options,
  })
  .transform((entry) => ({ ...entry, type: 'http' as const }));

export type StdioServerConfig = z.infer<typeof stdioServer>;
export type HttpServerConfig = z.infer<typeof httpServer>;
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

export type ParsedServer =
  | { readonly name: string; readonly key: string; readonly config: McpServerConfig }
  | { readonly name: string; readonly problem: string };

const MAX_SERVERS = 64;
const MAX_KEY_CHARS = 32;

/** Entry by entry: one that makes no sense is reported and the others are kept. */
export function parseServerConfigs(entries: Readonly<Record<string, unknown>>): ParsedServer[] {
  const taken = new Set<string>();
  return Object.keys(entries)
    .sort()
    .map((name, index): ParsedServer => {
      const key = toServerKey(name);
      const problem =
        index >= MAX_SERVERS
          ? `more than ${MAX_SERVERS} servers are configured`
          : findKeyProblem(key, taken);
      if (problem !== undefined) return { name, problem };
      taken.add(key.toLowerCase());
      return parseEntry(name, key, entries[name]);
    });
}

/**
 * The part of a tool's name that says whose it is. It never holds `__` and never ends in `_`, so that where it stops
 * is never in doubt: no server can make a tool that reads as another's.
 */
export function toServerKey(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
}

function findKeyProblem(key: string, taken: ReadonlySet<string>): string | undefined {
  if (key === '') return 'the name has no letter or digit';
  if (key.length > MAX_KEY_CHARS) return `the name is longer than ${MAX_KEY_CHARS} characters`;
  if (taken.has(key.toLowerCase())) return `another server is called ${key} in tool names`;
  return undefined;
}

function parseEntry(name: string, key: string, entry: unknown): ParsedServer {
  const isHttp = typeof entry === 'object' && entry !== null && 'url' in entry;
  const parsed = isHttp ? httpServer.safeParse(entry) : stdioServer.safeParse(entry);
  if (parsed.success) return { name, key, config: parsed.data };
  const problem = parsed.error.issues
    .slice(0, 3)
    .map((issue) => [...issue.path.map(String), issue.message].join(': '))
    .join('; ');
  return { name, problem };
}

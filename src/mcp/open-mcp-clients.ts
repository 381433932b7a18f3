import { isDeepStrictEqual } from 'node:util';
import { RuntimeError } from '../core/errors.ts';
import type { ToolPin } from '../core/tools/tool-pin.ts';
import { type ParsedServer, parseServerConfigs } from './server-config.ts';
import { ServerLink, type ServerLinkDeps } from './server-link.ts';
import type { McpServerStatus } from './server-status.ts';

export type McpClientsDeps = ServerLinkDeps;

/** The external servers of a runtime. Their tools come and go in the registry under `mcp:<server>`. */
export interface McpClients {
  /** Every configured server, by name, the broken and the disabled among them. */
  status(): readonly McpServerStatus[];
  /** Resolves when each server has been tried once: for commands that need their tools. Nothing else waits. */
  tried(): Promise<void>;
  /** What a tool says about itself, beside what was approved. Throws `not_found`. */
  getPin(place: { readonly server: string; readonly tool: string }): Promise<ToolPin>;
  approve(request: {
    readonly server: string;
    readonly tool: string;
    readonly hash?: string;
  }): Promise<ToolPin>;
  refresh(server: string): Promise<void>;
  /**
   * These are the servers from now on: new ones are connected, those that are gone are left, changed ones both. The
   * others notice nothing. Returns at once; the tools of a server that is left are gone then.
   */
  apply(servers: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

interface Entry {
  readonly parsed: ParsedServer;
  /** Undefined for one that is disabled or makes no sense. */
  readonly link: ServerLink | undefined;
  readonly sinceMs: number;
}

/** Returns at once: servers are connected in the background, each by itself. */
export function openMcpClients(
  servers: Readonly<Record<string, unknown>>,
  deps: McpClientsDeps,
): McpClients {
  const entries = new Map<string, Entry>();
  const leaving = createLeaving();

  function enter(parsed: ParsedServer): void {
    const { name } = parsed;
    if ('problem' in parsed) {
      deps.logger.warn({ server: name, reason: parsed.problem }, 'mcp server is not usable');
    }
    const isUsed = !('problem' in parsed) && !parsed.config.disabled;
    // Two processes of one program may get into each other's way: the new one waits for the end of the old.
    const link = isUsed ? new ServerLink(parsed, deps, leaving.ended(name)) : undefined;
    entries.set(name, { parsed, link, sinceMs: deps.clock.nowMs() });
  }

  function apply(wanted: Readonly<Record<string, unknown>>): void {
    const next = new Map(parseServerConfigs(wanted).map((parsed) => [parsed.name, parsed]));
    // All that go before any that come: a name for tools may pass from one to the other.
    for (const entry of [...entries.values()]) {
      if (isDeepStrictEqual(next.get(entry.parsed.name), entry.parsed)) continue;
      entries.delete(entry.parsed.name);
      if (entry.link) leaving.add(entry.link);
    }
    for (const parsed of next.values()) if (!entries.has(parsed.name)) enter(parsed);
  }

  function listLinks(): ServerLink[] {
    return [...entries.values()].flatMap(({ link }) => link ?? []);
  }

  function getLink(name: string): ServerLink {
    const link = entries.get(name)?.link;
    if (link) return link;
    throw new RuntimeError('not_found', `there is no running mcp server named ${name}`, {
      details: { thing: 'mcp_server' },
    });
  }

  apply(servers);
  return {
    status: () =>
      [...entries.values()]
        .map((entry) => entry.link?.status() ?? toIdleStatus(entry))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),

    async tried() {
      await Promise.all(listLinks().map((link) => link.tried));
    },

    getPin: async ({ server, tool }) => getLink(server).getPin(tool),

    approve: async ({ server, ...approval }) => getLink(server).approve(approval),

    refresh: async (server) => getLink(server).refresh(),

    apply,

    async close() {
      await Promise.all([...leaving.list(), ...listLinks()].map((link) => link.close()));
    },
  };
}

/** Links that were left and have not ended yet. */
function createLeaving() {
  const links = new Map<ServerLink, Promise<void>>();
  const find = (name: string) =>
    [...links].filter(([link]) => link.name === name).map(([, ended]) => ended);
  return {
    add(link: ServerLink): void {
      links.set(
        link,
        link.retire().finally(() => links.delete(link)),
      );
    },
    list: () => [...links.keys()],
    /** Resolves when all that had this name have ended. */
    async ended(name: string): Promise<void> {
      await Promise.allSettled(find(name));
    },
  };
}

function toIdleStatus({ parsed, sinceMs }: Entry): McpServerStatus {
  const isInvalid = 'problem' in parsed;
  return {
    name: parsed.name,
    transport: isInvalid ? undefined : parsed.config.type,
    state: isInvalid ? 'invalid' : 'disabled',
    lastError: isInvalid
      ? { phase: 'config_load', message: parsed.problem, atMs: sinceMs }
      : undefined,
    nextRetryAtMs: undefined,
    serverInfo: undefined,
    protocolVersion: undefined,
    tools: [],
    rejectedTools: [],
  };
}

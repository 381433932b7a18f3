import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { approvePin, hashDeclaration, observePin } from '../core/tools/observe-pin.ts';
import type { ToolRegistry } from '../core/tools/registry.ts';
import type { Tool } from '../core/tools/tool.ts';
import { pinStatus, type ToolPin, type ToolPinStore } from '../core/tools/tool-pin.ts';
import type { RemoteTool, RemoteTools } from './remote-tool.ts';
import type { McpServerConfig } from './server-config.ts';
import type { McpToolStatus } from './server-status.ts';
import { type ToToolParts, toTool } from './to-tool.ts';
import { nameTools } from './tool-names.ts';

export interface ServerToolsDeps {
  readonly server: string;
  readonly key: string;
  readonly config: McpServerConfig;
  readonly pins: ToolPinStore;
  readonly registry: Pick<ToolRegistry, 'replace'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly call: ToToolParts['call'];
}

export interface Approval {
  readonly tool: string;
  /** What the person saw. Refused when the server has shown something else since. */
  readonly hash?: string;
}

/** What one server offers and what of it may be used. */
export interface ServerTools {
  readonly status: readonly McpToolStatus[];
  readonly rejected: RemoteTools['rejected'];
  /** Takes a new listing: remembers what it shows and registers what is approved. */
  show(listing: RemoteTools): Promise<void>;
  getPin(tool: string): Promise<ToolPin>;
  approve(approval: Approval): Promise<ToolPin>;
  /** Takes them away for good: a listing that still arrives registers nothing. */
  remove(): void;
}

const MAX_LOGGED = 20;

export function createServerTools(deps: ServerToolsDeps): ServerTools {
  const source = `mcp:${deps.server}`;
  let listing: RemoteTools = { tools: [], rejected: [] };
  let status: readonly McpToolStatus[] = [];
  const place = claimPlace(deps.registry, source);

  function register(pins: ReadonlyMap<string, ToolPin>): void {
    const names = nameTools(
      deps.key,
      listing.tools.map(({ name }) => name),
    );
    const offered = listing.tools.flatMap((remote) => {
      const pin = pins.get(remote.name);
      const name = names.get(remote.name);
      return pin && name !== undefined ? [{ remote, name, pin }] : [];
    });
    const usable = offered.filter(({ remote, pin }) => isApproved(remote, pin));
    // A description that nobody has agreed to must not reach a model, so the others are not registered at all.
    place.put(usable.map(({ remote, name }) => toTool(remote, { ...deps, name, source })));
    status = offered.map(({ name, pin }) => ({
      name,
      tool: pin.tool,
      status: pinStatus(pin),
      hash: pin.seenHash,
    }));
  }

  async function readPins(): Promise<Map<string, ToolPin>> {
    return new Map((await deps.pins.list(deps.server)).map((pin) => [pin.tool, pin]));
  }

  async function getPin(tool: string): Promise<ToolPin> {
    const pin = await deps.pins.find(deps.server, tool);
    if (pin) return pin;
    throw new RuntimeError('not_found', `mcp server ${deps.server} has shown no tool ${tool}`, {
      details: { thing: 'tool' },
    });
  }

  return {
    get status() {
      return status;
    },

    get rejected() {
      return listing.rejected;
    },

    async show(shown) {
      const pins = await readPins();
      const news: ToolPin[] = [];
      for (const { name, declaration } of shown.tools) {
        const known = pins.get(name);
        const pin = observePin(known, {
          server: deps.server,
          tool: name,
          declaration,
          atMs: deps.clock.nowMs(),
          approveNew: deps.config.approve_new_tools,
        });
        if (pin !== known) news.push(pin);
        pins.set(name, pin);
      }
      // Remembered before it is offered: after a crash the same listing must not pass for a first sight.
      if (news.length > 0) await deps.pins.put(news);
      listing = shown;
      register(pins);
      warn(deps, news);
    },

    getPin,

    async approve({ tool, hash }) {
      const pin = await getPin(tool);
      if (hash !== undefined && hash !== pin.seenHash) {
        throw new RuntimeError('conflict', `tool ${tool} has changed again since it was looked at`);
      }
      const approved = approvePin(pin, deps.clock.nowMs());
      await deps.pins.put([approved]);
      register((await readPins()).set(tool, approved));
      return approved;
    },

    remove: () => place.giveUp(),
  };
}

/** The tools of one source. Once given up, the place may be another's: nothing is put there any more. */
function claimPlace(registry: Pick<ToolRegistry, 'replace'>, source: string) {
  let isOurs = true;
  const put = (tools: readonly Tool[]) => {
    if (isOurs) registry.replace(source, tools);
  };
  return {
    put,
    giveUp() {
      put([]);
      isOurs = false;
    },
  };
}

/** By what this connection was shown: another process may have been shown something else since. */
function isApproved({ name, declaration }: RemoteTool, pin: ToolPin): boolean {
  return pin.approvedHash === hashDeclaration(name, declaration);
}

function warn(deps: ServerToolsDeps, news: readonly ToolPin[]): void {
  const held = news.filter((pin) => pinStatus(pin) !== 'approved');
  if (held.length === 0) return;
  const tools = held.slice(0, MAX_LOGGED).map((pin) => pin.tool);
  deps.logger.warn(
    { server: deps.server, count: held.length, tools },
    'mcp tools wait for approval',
  );
}

import { RuntimeError } from '../core/errors.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { McpClients, McpClientsDeps } from './open-mcp-clients.ts';

export interface ToolServersDeps extends McpClientsDeps {
  /** The entries of the configuration in force, with their secrets. */
  readonly configured: () => Readonly<Record<string, unknown>>;
  readonly redactor: Pick<Redactor, 'redactText'>;
}

/** The external servers that the configuration names now. */
export interface ToolServers
  extends Pick<McpClients, 'status' | 'tried' | 'getPin' | 'approve' | 'close'> {
  /** The configuration changed. Returns at once. */
  follow(): void;
}

/** Servers are connected in the background; while there are none, their client is not even loaded. */
export async function openToolServers(deps: ToolServersDeps): Promise<ToolServers> {
  let clients: McpClients | undefined;
  let loading: Promise<McpClients> | undefined;
  let isClosed = false;

  async function load(): Promise<McpClients> {
    const { openMcpClients } = await import('./open-mcp-clients.ts');
    if (isClosed) throw new RuntimeError('shutting_down', 'the runtime is closed');
    // As it is now: it may have changed while this was loaded.
    clients = openMcpClients(deps.configured(), deps);
    return clients;
  }

  function getClients(): Promise<McpClients> {
    loading ??= load();
    return loading;
  }

  if (Object.keys(deps.configured()).length > 0) await getClients();
  return {
    status: () =>
      (clients?.status() ?? []).map(({ lastError, ...server }) => ({
        ...server,
        // A fault quotes what a foreign program printed, which may be anything.
        lastError: lastError && {
          ...lastError,
          message: deps.redactor.redactText(lastError.message),
        },
      })),

    async tried() {
      await (await loading)?.tried();
    },

    getPin: async (place) => (await getClients()).getPin(place),

    approve: async (request) => (await getClients()).approve(request),

    follow() {
      if (isClosed) return;
      if (clients) clients.apply(deps.configured());
      else if (Object.keys(deps.configured()).length > 0) {
        getClients().catch((error: unknown) => {
          deps.logger.error({ err: error }, 'mcp servers could not be opened');
        });
      }
    },

    async close() {
      isClosed = true;
      await loading?.catch(() => {});
      await clients?.close();
    },
  };
}

import type { Server } from '@modelcontextprotocol/server';
import { RuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { callServed, type ServedCalls } from './call-served.ts';
import { complete } from './complete.ts';
import { encodeFault, reportFault, toRpcCode } from './errors.ts';
import type { Prompts } from './prompts.ts';
import { listRunResources, RUN_TEMPLATE, readRunResource } from './run-resources.ts';
import {
  createRunSubscriptions,
  MAX_FOLLOWED,
  type RunSubscriptions,
} from './run-subscriptions.ts';
import type { ServedTool } from './served-tool.ts';

export type Sdk = typeof import('@modelcontextprotocol/server');

export interface ServerParts {
  readonly runs: Runs;
  readonly prompts: Prompts;
  readonly calls: ServedCalls;
  readonly listTools: () => Map<string, ServedTool>;
  readonly logger: Logger;
  readonly version: string;
}

/** One client, for as long as it is known. */
export interface ServedClient {
  readonly server: Server;
  readonly subscriptions: RunSubscriptions;
  /** Tells it that a run moved on. */
  readonly notify: (uri: string) => void;
}

const INSTRUCTIONS =
  'Pincer runs agents durably. run_submit starts work and run_wait follows it; the other tools act at once, ' +
  'each as a recorded run of its own. Runs are resources that can be subscribed to; agents and skills are prompts.';

/**
 * For a client that stays (`connection`), one that may listen or not (`session`), or a single request of one that nobody
 * remembers (`request`).
 */
export function buildServer(
  sdk: Sdk,
  parts: ServerParts,
  kind: 'connection' | 'session' | 'request',
): ServedClient {
  const server = new sdk.Server(
    { name: 'pincer', version: parts.version },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        logging: {},
      },
      instructions: INSTRUCTIONS,
    },
  );
  const notify = (uri: string) => {
    server.sendResourceUpdated({ uri }).catch((error: unknown) => {
      parts.logger.debug({ err: error }, 'an mcp client could not be told of a run');
    });
  };
  const subscriptions = createRunSubscriptions(
    { ...parts, notify, max: MAX_FOLLOWED },
    { isListening: kind === 'connection' },
  );
  server.onclose = () => subscriptions.close();
  const guard = createGuard(sdk, parts.logger);
  addTools(sdk, server, parts);
  addResources(server, parts, guard);
  addSubscriptions(server, { subscriptions, isKnown: kind !== 'request' }, guard);
  addPrompts(server, parts, guard);
  return { server, subscriptions, notify };
}

type Guard = <T>(work: () => Promise<T>) => Promise<T>;

/** Faults leave as errors of the protocol, with our code beside theirs. */
function createGuard(sdk: Sdk, logger: Logger): Guard {
  return async (work) => {
    try {
      return await work();
    } catch (thrown) {
      const error = reportFault(logger, thrown);
      const { code, message } = encodeFault(error);
      throw new sdk.ProtocolError(toRpcCode(error), message, { code });
    }
  };
}

function addTools(sdk: Sdk, server: Server, { listTools, calls }: ServerParts): void {
  server.setRequestHandler('tools/list', () => ({
    tools: [...listTools().values()].map(encodeTool),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = listTools().get(params.name);
    if (!tool) {
      const message = `there is no tool named ${params.name.slice(0, 100)}`;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
    }
    const input = (params.arguments ?? {}) as JsonObject;
    return callServed(calls, { tool, input, context });
  });
}

function addResources(server: Server, { runs }: ServerParts, guard: Guard): void {
  server.setRequestHandler('resources/list', () =>
    guard(async () => ({ resources: await listRunResources(runs) })),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [RUN_TEMPLATE],
  }));
  server.setRequestHandler('resources/read', ({ params }) =>
    guard(async () => ({ contents: [await readRunResource(runs, params.uri)] })),
  );
}

function addSubscriptions(
  server: Server,
  client: { readonly subscriptions: RunSubscriptions; readonly isKnown: boolean },
  guard: Guard,
): void {
  server.setRequestHandler('resources/subscribe', ({ params }) =>
    guard(async () => {
      if (!client.isKnown) throw sessionMissing();
      await client.subscriptions.add(params.uri);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }) =>
    guard(async () => {
      if (!client.isKnown) throw sessionMissing();
      client.subscriptions.remove(params.uri);
      return {};
    }),
  );
}

function sessionMissing(): RuntimeError {
  return new RuntimeError(
    'invalid_input',
    'subscriptions need a session: send initialize, then the Mcp-Session-Id of its answer with each request',
  );
}

function addPrompts(server: Server, { prompts, runs }: ServerParts, guard: Guard): void {
  server.setRequestHandler('prompts/list', () =>
    guard(async () => ({ prompts: await prompts.list() })),
  );
  server.setRequestHandler('prompts/get', ({ params }) =>
    guard(() => prompts.get(params.name, params.arguments ?? {})),
  );
  server.setRequestHandler('completion/complete', ({ params }) =>
    guard(() => complete({ prompts, runs }, params)),
  );
}

function encodeTool(tool: ServedTool) {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { ...tool.inputSchema, type: 'object' as const },
    annotations: { readOnlyHint: tool.readOnly, idempotentHint: tool.idempotent },
  };
}

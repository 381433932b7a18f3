import { defined } from '../../core/defined.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import type { Runs } from '../../core/runs/runs.ts';
import type { Sdk, ServedClient } from './build-server.ts';
import { encodeMcpError, reportFault } from './errors.ts';
import { createHttpSessions, type Exchange, type HttpSessionsDeps } from './http-sessions.ts';
import { createListenStreams, findListenedUris, MAX_STREAMS } from './listen-streams.ts';

export interface HttpExchange {
  handle(exchange: Exchange): Promise<Response>;
  close(): Promise<void>;
}

export interface HttpExchangeDeps extends Pick<HttpSessionsDeps, 'sdk' | 'clock'> {
  readonly sdk: Sdk;
  readonly build: (kind: 'session' | 'request') => ServedClient;
  readonly runs: Pick<Runs, 'get' | 'tail'>;
  readonly logger: Logger;
  readonly onerror: (error: Error) => void;
}

/**
 * Clients of the 2026 protocol say with each request all that is needed to answer it. Those of 2025 have a session, or
 * do without one: then each of their requests stands alone too.
 */
export function createHttpExchange(deps: HttpExchangeDeps): HttpExchange {
  const { sdk, onerror, logger } = deps;
  const buildOnce = () => deps.build('request').server;
  const sessions = createHttpSessions({ ...deps, build: () => deps.build('session') });
  const sessionless = sdk.legacyStatelessFallback(buildOnce, onerror);
  const modern = sdk.createMcpHandler(buildOnce, {
    legacy: 'reject',
    maxSubscriptions: MAX_STREAMS,
    onerror,
  });
  const streams = createListenStreams({
    ...deps,
    notify: (uri) => modern.notify.resourceUpdated(uri),
  });

  async function listen({ request, body }: Exchange, uris: readonly string[]): Promise<Response> {
    const response = await modern.fetch(request, defined({ parsedBody: body }));
    if (!isStream(response)) return response;
    try {
      // The stream is open, so nothing is missed; its reader has not seen it, so it can still be refused.
      const end = await streams.open(uris);
      if (request.signal.aborted) end();
      else request.signal.addEventListener('abort', end, { once: true });
      return response;
    } catch (thrown) {
      await response.body?.cancel();
      const { id = null } = body as JsonObject;
      const { body: refusal } = encodeMcpError(reportFault(logger, thrown));
      return Response.json({ ...(refusal as JsonObject), id });
    }
  }

  return {
    async handle(exchange) {
      const { request, body } = exchange;
      const options = defined({ parsedBody: body });
      if (!(await sdk.isLegacyRequest(request, body))) {
        const uris = findListenedUris(body);
        return uris ? listen(exchange, uris) : modern.fetch(request, options);
      }
      const id = request.headers.get('mcp-session-id');
      if (id !== null) return sessions.serve(id, exchange);
      const isFirst = request.method === 'POST' && sdk.isInitializeRequest(body);
      const opened = isFirst ? sessions.open(exchange) : undefined;
      return opened ?? sessionless(request, options);
    },

    async close() {
      streams.close();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

export function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

import { randomUUID } from 'node:crypto';
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Clock } from '../../core/clock.ts';
import type { Sdk, ServedClient } from './build-server.ts';

/** Clients of the 2025 protocol over HTTP, known by the id they got when they introduced themselves. */
export interface HttpSessions {
  /** Undefined when there is no room: the client is served all the same, but nobody remembers it. */
  open(exchange: Exchange): Promise<Response> | undefined;
  /** 404 for a session that is over: its client introduces itself again. */
  serve(id: string, exchange: Exchange): Promise<Response>;
  close(): Promise<void>;
}

export interface Exchange {
  /** Its signal aborts when the exchange is over, one way or the other. */
  readonly request: Request;
  readonly body: unknown;
}

export interface HttpSessionsDeps {
  readonly sdk: Sdk;
  readonly build: () => ServedClient;
  readonly clock: Pick<Clock, 'nowMs'>;
}

interface Session extends ServedClient {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  underWay: number;
  idleSinceMs: number;
}

const MAX_SESSIONS = 128;
const MAX_IDLE_MS = 60 * 60_000;
const SESSION_NOT_FOUND = -32001;

export function createHttpSessions({ sdk, build, clock }: HttpSessionsDeps): HttpSessions {
  /** The one that was used longest ago comes first. */
  const sessions = new Map<string, Session>();

  /** Idle for long, or for longest where there are too many. One that is in use is never taken. */
  function makeRoom(): boolean {
    for (const [id, session] of sessions) {
      const isFull = sessions.size >= MAX_SESSIONS;
      const isOld = clock.nowMs() - session.idleSinceMs > MAX_IDLE_MS;
      if (session.underWay > 0 || !(isFull || isOld)) continue;
      sessions.delete(id);
      void session.server.close();
    }
    return sessions.size < MAX_SESSIONS;
  }

  function noteUse(session: Session, { request }: Exchange): void {
    session.underWay += 1;
    whenOver(request.signal, () => {
      session.underWay -= 1;
      session.idleSinceMs = clock.nowMs();
      const id = session.transport.sessionId;
      if (id === undefined || !sessions.delete(id)) return;
      sessions.set(id, session);
    });
  }

  async function start(exchange: Exchange): Promise<Response> {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const client = build();
    const session: Session = { ...client, transport, underWay: 0, idleSinceMs: clock.nowMs() };
    await client.server.connect(transport);
    noteUse(session, exchange);
    const response = await handle(session, exchange);
    if (transport.sessionId === undefined) await client.server.close();
    return response;
  }

  return {
    open: (exchange) => (makeRoom() ? start(exchange) : undefined),

    async serve(id, exchange) {
      const session = sessions.get(id);
      if (!session) return notFound();
      noteUse(session, exchange);
      const response = await handle(session, exchange);
      // What it subscribed to is followed while it has a stream open to hear of it.
      if (exchange.request.method === 'GET' && response.ok) {
        session.subscriptions.setListening(true);
        whenOver(exchange.request.signal, () => session.subscriptions.setListening(false));
      }
      return response;
    },

    async close() {
      const all = [...sessions.values()];
      sessions.clear();
      await Promise.all(all.map(({ server }) => server.close()));
    },
  };
}

function handle({ transport }: Session, { request, body }: Exchange): Promise<Response> {
  return transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
}

function whenOver(signal: AbortSignal, then: () => void): void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
}

function notFound(): Response {
  const error = { code: SESSION_NOT_FOUND, message: 'the session is over; send initialize again' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}

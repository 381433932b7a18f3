import { randomUUID } from 'node:crypto';
import type { RunId } from '../../../core/ids.ts';
import type { Run } from '../../../core/runs/run.ts';
import type { RunFilter, RunPage } from '../../../core/runs/run-store.ts';
import type { Runs } from '../../../core/runs/runs.ts';
import { asObject, decodeRun, decodeTrace } from './decode-run.ts';
import type { HttpRequest } from './http-client.ts';
import { sendAgain } from './send-again.ts';
import { createServerLink, type ServerLinkOptions } from './server-link.ts';
import { tailRemoteRun } from './tail-remote-run.ts';

/** The runs of a running server, through its `/v1`. Commands can't tell them from local ones. */
export function createRemoteRuns(options: ServerLinkOptions): Runs {
  const { clock } = options;
  const link = createServerLink(options);

  /** All requests here are idempotent. */
  const send = (request: HttpRequest) => sendAgain(link, request);

  const get = async (id: RunId) => decodeRun(await send(getRequest(id)));

  return {
    async submit({ agentId, message, sessionId, model, idempotencyKey = randomUUID() }) {
      const request = {
        method: 'POST',
        path: '/v1/runs',
        body: {
          agent_id: agentId,
          message,
          ...(sessionId === undefined ? {} : { session_id: sessionId }),
          ...(model === undefined ? {} : { model }),
        },
        // Sent again, it must not start a second run.
        headers: { 'idempotency-key': idempotencyKey },
      } as const;
      const created = asObject(await send(request), 'a run');
      return { run: await get(String(created['id']) as RunId), replayed: false };
    },

    get,

    list: async (filter) => decodePage(await send(listRequest(filter))),

    trace: async (id) => decodeTrace(await send(getRequest(id))),

    // `/v1` takes 0 for the oldest event kept.
    floor: async () => 0,

    async cancel({ runId, reason }) {
      const path = `${runPath(runId)}/cancel`;
      const body = reason === '' ? {} : { reason };
      const receipt = asObject(await send({ method: 'POST', path, body }), 'a receipt');
      return { run: await get(runId), recorded: receipt['idempotent_replay'] !== true };
    },

    tail: (request) => tailRemoteRun({ link, clock }, request),
  };
}

function runPath(id: RunId): string {
  return `/v1/runs/${encodeURIComponent(id)}`;
}

function getRequest(id: RunId) {
  return { method: 'GET', path: runPath(id) } as const;
}

function listRequest(filter: RunFilter) {
  const query = new URLSearchParams({ limit: String(filter.limit) });
  if (filter.status !== undefined) query.set('status', filter.status);
  if (filter.agentId !== undefined) query.set('agent_id', filter.agentId);
  if (filter.sessionId !== undefined) query.set('session_id', filter.sessionId);
  // The cursor of `/v1` is the last run's id in base64url. Ours is the id, with a server and without one.
  if (filter.before !== undefined) {
    query.set('cursor', Buffer.from(filter.before).toString('base64url'));
  }
  return { method: 'GET', path: `/v1/runs?${query}` } as const;
}

function decodePage(value: unknown): RunPage {
  const wire = asObject(value, 'a list of runs');
  const runs: Run[] = Array.isArray(wire['runs']) ? wire['runs'].map(decodeRun) : [];
  const { next_cursor: cursor, unreadable_run_ids: unreadable } = wire;
  return {
    runs,
    ...(Array.isArray(unreadable) ? { unreadable: unreadable as RunId[] } : {}),
    next:
      typeof cursor === 'string'
        ? (Buffer.from(cursor, 'base64url').toString() as RunId)
        : undefined,
  };
}

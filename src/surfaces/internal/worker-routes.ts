import { defined } from '../../core/defined.ts';
import type { ProjectionState } from '../../core/projection/find-projections.ts';
import { SPANS } from '../../core/telemetry.ts';
import type { Worker, WorkerEventType } from '../../core/workers/worker.ts';
import type { Workers } from '../../core/workers/workers.ts';
import { readTrace } from '../http/read-trace.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';
import { assertValidFor, decodeWorkerRef } from './decode-worker-ref.ts';
import { getPositivePrincipal } from './principal.ts';
import {
  decodeAttach,
  encodeAnswer,
  encodeProjection,
  encodeReported,
  encodeStop,
  encodeTrace,
  encodeWorker,
  encodeWorkerReceipt,
} from './worker-codec.ts';
import { WORKER_ROUTES } from './worker-documents.ts';
import { addWorkerStream } from './worker-stream.ts';

export interface WorkerRouteDeps {
  readonly codexWorkers: Workers;
  /** How well the sink keeps up with them, by id; those that were never projected are left out. */
  findWorkerProjections(workers: readonly Worker[]): Promise<ReadonlyMap<string, ProjectionState>>;
}

const DEFAULT_REASON = 'stop_requested';
const PATH = '/codex/workers';
const INGEST = { attachValidation: true, config: { span: SPANS.ingest } };
const PERSIST = { attachValidation: true, config: { span: SPANS.persist } };

export function addWorkerRoutes(app: SurfaceApp, deps: WorkerRouteDeps, kit: SurfaceKit): void {
  const { codexWorkers: workers } = deps;

  app.get(PATH, { ...PERSIST, schema: WORKER_ROUTES.list }, async (request, reply) => {
    const principal = getPositivePrincipal(request);
    if (request.validationError) throw request.validationError;
    const { status, workspace_ref: workspaceRef, limit } = request.query;
    const found = await workers.list({
      principal,
      limit,
      ...defined({ status, workspaceRef }),
    });
    const projections = await deps.findWorkerProjections(found);
    const data = found.map((worker) => ({
      ...encodeWorker(worker, workers),
      convex_projection: encodeProjection(projections.get(worker.id)),
    }));
    return reply.send({ data });
  });

  app.post(PATH, { ...PERSIST, schema: WORKER_ROUTES.create }, async (request, reply) => {
    const principal = getPositivePrincipal(request);
    if (request.validationError) throw request.validationError;
    const receipt = await workers.attach(decodeAttach(request.body, principal));
    return reply.code(receipt.replayed ? 200 : 202).send(encodeWorkerReceipt(receipt));
  });

  addOneWorkerRoutes(app, workers);
  addWorkerStream(app, workers, kit);
}

function addOneWorkerRoutes(app: SurfaceApp, workers: Workers): void {
  const path = `${PATH}/:worker_id`;

  app.get(
    `${path}/snapshot`,
    { ...PERSIST, schema: WORKER_ROUTES.snapshot },
    async (request, reply) => {
      const worker = await workers.get(decodeWorkerRef(request));
      return reply.send({ data: encodeWorker(worker, workers) });
    },
  );

  app.post(`${path}/requests`, { ...INGEST, schema: WORKER_ROUTES.ask }, async (request, reply) => {
    const ref = decodeWorkerRef(request);
    await assertValidFor(request, workers, ref);
    const { request_id: requestId, method, params } = request.body.request;
    const trace = readTrace(request);
    const answer = await workers.ask(ref, {
      requestId: requestId ?? undefined,
      method,
      params,
      ...(trace === undefined ? {} : { trace: encodeTrace(trace) }),
    });
    return reply.send(encodeAnswer(ref.id, answer));
  });

  app.post(`${path}/stop`, { ...PERSIST, schema: WORKER_ROUTES.stop }, async (request, reply) => {
    const ref = decodeWorkerRef(request);
    await assertValidFor(request, workers, ref);
    const receipt = await workers.stop(ref, request.body.reason || DEFAULT_REASON);
    return reply.code(receipt.replayed ? 200 : 202).send(encodeStop(receipt));
  });

  app.post(
    `${path}/events`,
    { ...INGEST, schema: WORKER_ROUTES.report },
    async (request, reply) => {
      const ref = decodeWorkerRef(request);
      await assertValidFor(request, workers, ref);
      const { event_type: type, payload } = request.body.event;
      const event = await workers.report(ref, {
        type: type as WorkerEventType,
        payload: payload ?? {},
      });
      return reply.code(202).send(encodeReported(event));
    },
  );
}

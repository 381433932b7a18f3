import { defined } from '../../core/defined.ts';
import { SPANS } from '../../core/telemetry.ts';
import type { Threads } from '../../core/threads/threads.ts';
import { answer } from '../http/answers/answers.ts';
import { readTrace } from '../http/read-trace.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { BODY_ERRORS, errorAnswers, SIGNED, SIGNED_ERRORS } from './answers.ts';
import { decodeNewRun, encodeCancel, encodeReceipt, encodeSnapshot } from './codec.ts';
import { assertValid, decodeThreadId, decodeThreadRef } from './decode-thread-ref.ts';
import { getPrincipal } from './principal.ts';
import {
  cancelBody,
  cancelReceipt,
  createRunBody,
  type FrameReceipt,
  frameBody,
  frameReceipt,
  principalHeaders,
  runParams,
  runReceipt,
  snapshot,
  threadQuery,
} from './schema.ts';

export interface RunRouteDeps {
  readonly threads: Threads;
}

const TAGS = ['internal'];
const DEFAULT_REASON = 'cancel requested';

const createRun = {
  summary: 'Create a run of a thread',
  description:
    'The run waits for its first frame. Naming it makes the request repeatable: the same again answers 200 with ' +
    'the run as it is now, other fields under the same run_id are a conflict.',
  tags: TAGS,
  security: SIGNED,
  headers: principalHeaders,
  body: createRunBody,
  response: {
    200: answer('The run was there already.', runReceipt),
    201: answer('The run is stored and takes frames.', runReceipt),
    ...errorAnswers(...SIGNED_ERRORS, 404, 409, ...BODY_ERRORS),
  },
};

const appendFrame = {
  summary: 'Append a frame to a run',
  description:
    'Durable before the answer. A user_message starts a turn, or joins the next one while a turn runs; tool_result ' +
    'answers a tool of the client; finish, fail and cancel end the run. Frames of an ended run are kept and never ' +
    'executed.',
  tags: TAGS,
  security: SIGNED,
  headers: principalHeaders,
  params: runParams,
  body: frameBody,
  response: {
    200: answer('The same frame was there already.', frameReceipt),
    202: answer('The frame is stored.', frameReceipt),
    ...errorAnswers(...SIGNED_ERRORS, 404, 409, ...BODY_ERRORS),
  },
};

const cancelRun = {
  summary: 'Cancel a run',
  description:
    'Durable and idempotent. Work in flight is aborted; a result that comes late is ignored. 202 when this call ' +
    'recorded the wish, 200 when it was there or the run had ended: `status` is then that of the run.',
  tags: TAGS,
  security: SIGNED,
  headers: principalHeaders,
  params: runParams,
  body: cancelBody,
  response: {
    200: answer('Nothing changed.', cancelReceipt),
    202: answer('The wish is stored.', cancelReceipt),
    ...errorAnswers(...SIGNED_ERRORS, 404, ...BODY_ERRORS),
  },
};

const readSnapshot = {
  summary: 'Read a run',
  description: 'Its status and latest seq as they are now, and how it ended.',
  tags: TAGS,
  security: SIGNED,
  headers: principalHeaders,
  params: runParams,
  querystring: threadQuery,
  response: {
    200: answer('The run as it is now.', snapshot),
    ...errorAnswers(...SIGNED_ERRORS, 404),
  },
};

export function addRunRoutes(app: SurfaceApp, { threads }: RunRouteDeps): void {
  const ingest = { attachValidation: true, config: { span: SPANS.ingest } };
  const persist = { attachValidation: true, config: { span: SPANS.persist } };

  app.post('/runs', { ...persist, schema: createRun }, async (request, reply) => {
    decodeThreadId(request.body);
    const principal = getPrincipal(request);
    if (request.validationError) throw request.validationError;
    const receipt = await threads.create(decodeNewRun(request.body, principal));
    return reply.code(receipt.replayed ? 200 : 201).send(encodeReceipt(receipt));
  });

  app.post('/runs/:run_id/frames', { ...ingest, schema: appendFrame }, async (request, reply) => {
    const ref = decodeThreadRef(request, request.body);
    await assertValid(request, threads, ref);
    const { frame_id: frameId, type, payload, occurred_at: occurredAt } = request.body;
    const trace = readTrace(request);
    const { replayed } = await threads.accept({
      ...ref,
      frameId,
      type,
      payload,
      ...(typeof occurredAt === 'string' ? { occurredAt } : {}),
      ...defined({ trace }),
    });
    const receipt: FrameReceipt = {
      runId: ref.runId,
      frameId,
      status: 'accepted',
      idempotentReplay: replayed,
    };
    return reply.code(replayed ? 200 : 202).send(receipt);
  });

  app.post('/runs/:run_id/cancel', { ...persist, schema: cancelRun }, async (request, reply) => {
    const ref = decodeThreadRef(request, request.body);
    await assertValid(request, threads, ref);
    const reason = request.body.reason ?? '';
    const result = await threads.cancel({ ...ref, reason: reason || DEFAULT_REASON });
    return reply.code(result.recorded ? 202 : 200).send(encodeCancel(result));
  });

  app.get(
    '/runs/:run_id/snapshot',
    { ...persist, schema: readSnapshot },
    async (request, reply) => {
      const ref = decodeThreadRef(request, request.query);
      await assertValid(request, threads, ref);
      return reply.send(encodeSnapshot(await threads.get(ref)));
    },
  );
}

import { RuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { toOwner } from '../principal.ts';
import { digestPayload } from '../reliability/idempotency/key-digests.ts';
import type { Threads } from '../threads/threads.ts';
import { CALL_LEASE_MS, claimCall, whileClaimed } from './claim-call.ts';
import { type ExecuteDeps, type Executed, executeOperation } from './execute-operation.ts';
import { decodeExecution, type ExecutionAnswer, encodeExecution } from './execution.ts';
import {
  type FindToolSpec,
  invalidInvocation,
  type ManifestRef,
  resolveManifest,
} from './find-manifest.ts';
import type { ToolPack } from './manifest.ts';
import type { OperationCall } from './operation-call.ts';
import { parseAuthority } from './parse-authority.ts';
import { parseOperation } from './parse-operation.ts';
import type { NewCall } from './receipt-store.ts';

export interface ExecuteRequest {
  readonly toolPack: ToolPack;
  readonly mode: 'execute' | 'replay';
  readonly userId: number;
  readonly runId?: RunId;
  readonly threadId?: string;
  readonly toolCallId?: string;
  readonly manifest?: JsonObject;
  readonly manifestRef?: ManifestRef;
  /** As on the wire. */
  readonly request: JsonObject;
  readonly policy: JsonObject;
}

/** Operations of tool packs, for the back end of a product. */
export interface Integrations {
  /**
   * Makes a call, or answers with the one that was made under its id. Throws `not_found` and `forbidden` for a run that
   * is not the user's, `unprocessable` for what can't be made, `conflict` for another request under a used id.
   */
  execute(request: ExecuteRequest): Promise<ExecutionAnswer>;
}

export interface IntegrationsDeps extends ExecuteDeps {
  readonly threads: Pick<Threads, 'get'>;
  readonly findToolSpec: FindToolSpec;
  /** Throws while nothing may be called. */
  readonly assertMayCall?: () => Promise<void>;
  /** How long a call stays claimed by a process that has died; ten seconds when absent. */
  readonly callLeaseMs?: number;
}

const RATE_WINDOW_MS = 60_000;
/** Of calls outside of runs, which nobody can ask for again. */
const KEEP_MS = 30 * 24 * 60 * 60_000;

export function createIntegrations(deps: IntegrationsDeps): Integrations {
  return {
    async execute(request) {
      await assertOwnRun(deps, request);
      if (request.mode === 'replay') return replay(deps, request);
      await deps.assertMayCall?.();
      return execute(deps, request);
    },
  };
}

async function assertOwnRun(deps: IntegrationsDeps, request: ExecuteRequest): Promise<void> {
  const { runId, userId } = request;
  if (runId === undefined) return;
  const threadId = request.threadId ?? (await deps.runs.find(runId))?.thread?.id ?? '';
  await deps.threads.get({ runId, threadId, principal: { kind: 'user', id: userId } });
}

async function replay(deps: IntegrationsDeps, request: ExecuteRequest): Promise<ExecutionAnswer> {
  const { runId, toolCallId } = request;
  if (runId === undefined || toolCallId === undefined) {
    throw invalidInvocation(['replay needs run_id and request.tool_call_id']);
  }
  const stored = await deps.receipts.find({ scope: runId, callId: toolCallId });
  if (stored?.result === undefined) {
    throw new RuntimeError('not_found', `run ${runId} has no receipt of ${toolCallId}`);
  }
  const isNamed = request.request['operation'] !== undefined;
  if (isNamed && stored.digest !== digestRequest(request)) {
    throw new RuntimeError('conflict', `tool_call_id ${toolCallId} was used for another request`);
  }
  return { execution: decodeExecution(stored.result), replayed: true };
}

async function execute(deps: IntegrationsDeps, request: ExecuteRequest): Promise<ExecutionAnswer> {
  const call = await parseCall(deps, request);
  const row = toRow(deps, call);
  const claimed = await claimCall(deps, row);
  if (claimed.outcome === 'settled') {
    return { execution: decodeExecution(claimed.result), replayed: true };
  }
  const { execution, isFinal } = await make(deps, row, () => executeOperation(deps, call, claimed));
  const isKept = await deps.receipts.settle(row, { result: encodeExecution(execution), isFinal });
  return isKept ? { execution, replayed: false } : getTakenOver(deps, row);
}

async function make(
  deps: IntegrationsDeps,
  row: NewCall,
  work: () => Promise<Executed>,
): Promise<Executed> {
  try {
    return await whileClaimed(deps, row, work);
  } catch (thrown) {
    // Refused by its run before anything was sent. After any other fault the claim stays: what became of the call is
    // for the next one who asks to find out.
    const isRefused = thrown instanceof RuntimeError && thrown.code === 'conflict';
    if (isRefused) await deps.receipts.release(row);
    throw thrown;
  }
}

/** This process seemed dead for so long that another took the call over: there is one answer to it, and that is his. */
async function getTakenOver(deps: IntegrationsDeps, row: NewCall): Promise<ExecutionAnswer> {
  const stored = await deps.receipts.find(row);
  if (stored?.result) return { execution: decodeExecution(stored.result), replayed: true };
  throw new RuntimeError('conflict', `tool_call_id ${row.callId} is still being executed`);
}

async function parseCall(deps: IntegrationsDeps, request: ExecuteRequest): Promise<OperationCall> {
  const owner = toOwner({ kind: 'user', id: request.userId });
  const asked = { ...request, owner };
  const { manifest, specVersion } = await resolveManifest(deps.findToolSpec, asked);
  const parsed = parseOperation(request.request, manifest);
  if (parsed.outcome === 'invalid') throw invalidInvocation(parsed.problems);
  const stated = parseAuthority(request.policy, request.request);
  if (stated.outcome === 'invalid') throw invalidInvocation(stated.problems);
  const { runId } = request;
  // Without a run, or without an id, there is nothing it could be asked for by again.
  const isKnown = runId !== undefined && request.toolCallId !== undefined;
  return {
    manifest,
    specVersion,
    operation: parsed.operation,
    authority: stated.authority,
    runId,
    toolCallId: isKnown ? request.toolCallId : `call_${deps.ids.request()}`,
    owner,
    digest: digestRequest(request),
  };
}

function toRow(deps: IntegrationsDeps, call: OperationCall): NewCall {
  const { runId, toolCallId, owner, digest, manifest } = call;
  return {
    scope: runId ?? owner,
    callId: toolCallId,
    claimId: deps.ids.lease(),
    requestId: deps.ids.request(),
    digest,
    integrationId: manifest.integrationId,
    owner,
    leaseMs: deps.callLeaseMs ?? CALL_LEASE_MS,
    windowMs: RATE_WINDOW_MS,
    ...(runId === undefined ? { keepMs: KEEP_MS } : {}),
  };
}

/** Approval and means are not part of it: a call that was refused may be made under its id once it is approved. */
function digestRequest({ toolPack, request }: ExecuteRequest): string {
  const { run_id, thread_id, user_id, write_approved, consent_granted, ...rest } = request;
  return digestPayload({ tool_pack: toolPack, request: rest });
}

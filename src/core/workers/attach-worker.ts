import { RuntimeError } from '../errors.ts';
import type { Ids, WorkerId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { type Principal, toOwner } from '../principal.ts';
import type { Redactor } from '../redact/redact.ts';
import type { HostedWorkers } from './hosted-workers.ts';
import { type AdapterName, isLive, type Worker } from './worker.ts';
import type { WorkerAdapter } from './worker-adapter.ts';
import { notOwned, notRunning } from './worker-faults.ts';
import type { WorkerSettings } from './worker-settings.ts';
import type { AttachWorker, WorkerStore } from './worker-store.ts';

export interface AttachRequest {
  readonly principal: Principal;
  /** Made when absent. */
  readonly id: WorkerId | undefined;
  readonly adapter: AdapterName | undefined;
  readonly command: string | undefined;
  readonly workspaceRef: string | undefined;
  readonly codexHomeRef: string | undefined;
  readonly metadata: JsonObject | undefined;
}

export interface AttachReceipt {
  readonly worker: Worker;
  /** True when it was attached already. */
  readonly replayed: boolean;
}

export interface AttachDeps {
  readonly store: Pick<WorkerStore, 'attach' | 'find'>;
  readonly ids: Pick<Ids, 'worker'>;
  readonly redactor: Redactor;
  readonly hosted: HostedWorkers;
  readonly settings: () => WorkerSettings;
  readonly findAdapter: (worker: Pick<Worker, 'adapter'>) => WorkerAdapter;
  /** Throws while no worker may be started or asked. */
  readonly assertMayCall: () => Promise<void>;
}

/**
 * Creates a worker, or attaches one that has ended; what the request leaves out stays as it was. A live one is answered
 * as it is. Throws `rate_limited` when the principal or this server has too many.
 */
export async function attachWorkerFor(
  deps: AttachDeps,
  request: AttachRequest,
): Promise<AttachReceipt> {
  const owner = toOwner(request.principal);
  const known = request.id === undefined ? undefined : await deps.store.find(request.id);
  if (known && known.owner !== owner) throw notOwned();
  if (known && isLive(known.status)) return replay(known);
  await deps.assertMayCall();
  const wanted = choose(deps, request, known);
  const adapter = deps.findAdapter(wanted);
  const { maxWorkers } = deps.settings();
  const leave = adapter.kind === 'hosted' ? deps.hosted.reserve() : () => {};
  const result = await deps.store.attach({ ...wanted, owner, maxLive: maxWorkers }).finally(leave);
  switch (result.outcome) {
    case 'other_owner':
      throw notOwned();
    case 'full':
      throw new RuntimeError(
        'rate_limited',
        `the principal has ${maxWorkers} workers attached already; stop one first`,
        { details: { max_workers: maxWorkers } },
      );
    case 'exists':
      return replay(result.worker);
    default: {
      const reason = result.outcome === 'created' ? 'attach' : 'reattach';
      if (adapter.kind === 'shared') return { worker: result.worker, replayed: false };
      const worker = await deps.hosted.open(result.worker, adapter, reason);
      return { worker, replayed: false };
    }
  }
}

function replay(worker: Worker): AttachReceipt {
  // It ends in a moment; then it can be attached again.
  if (worker.status === 'stopping') throw notRunning(worker);
  return { worker, replayed: true };
}

function choose(
  { ids, redactor, hosted, findAdapter }: AttachDeps,
  request: AttachRequest,
  known: Worker | undefined,
): Omit<AttachWorker, 'owner' | 'maxLive'> {
  const redactText = (text: string | undefined) =>
    text === undefined ? undefined : redactor.redactText(text);
  const chosen = { adapter: request.adapter ?? known?.adapter ?? 'in_memory' };
  const adapter = findAdapter(chosen);
  const isSame = known?.adapter === chosen.adapter;
  const wanted = request.command ?? (isSame ? known?.command : undefined);
  if (adapter.kind === 'shared' && request.command !== undefined) {
    throw new RuntimeError('invalid_input', `adapter ${adapter.name} starts no command`);
  }
  const isHosted = adapter.kind === 'hosted';
  return {
    id: request.id ?? ids.worker(),
    adapter: chosen.adapter,
    command: isHosted ? adapter.chooseCommand(wanted) : undefined,
    workspaceRef: redactText(request.workspaceRef) ?? known?.workspaceRef,
    codexHomeRef: redactText(request.codexHomeRef) ?? known?.codexHomeRef,
    metadata: redactMetadata(redactor, request.metadata) ?? known?.metadata ?? {},
    host: isHosted ? hosted.host : undefined,
  };
}

function redactMetadata(
  redactor: Redactor,
  metadata: JsonObject | undefined,
): JsonObject | undefined {
  return metadata && redactor.redact(metadata, 'metadata').value;
}

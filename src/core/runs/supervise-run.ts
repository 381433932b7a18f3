import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Seal } from '../events/seal.ts';
import type { Logger } from '../log.ts';
import type { Metrics, Tracer } from '../telemetry.ts';
import type { RunEnd } from './run.ts';
import type { RunControl } from './run-control.ts';
import type { ClaimedRun, RunStore } from './run-store.ts';

export interface SuperviseDeps {
  readonly runs: RunStore;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  /** Takes the run to its end or its rest, or throws and leaves it resumable. */
  readonly execute: (claimed: ClaimedRun, control: RunControl) => Promise<RunEnd | 'resting'>;
}

/** `faulted`: something around the run failed, most likely the store; trying again at once would fail again. */
export type Supervised = 'ended' | 'left' | 'faulted';

/** Executes a claimed run and reports how that went. Never throws: one run's fault is not another's. */
export async function superviseRun(
  deps: SuperviseDeps,
  claimed: ClaimedRun,
  control: RunControl,
): Promise<Supervised> {
  const { run, lease } = claimed;
  try {
    const end = await deps.tracer.span(
      'run',
      { 'run.id': run.id, resumed: claimed.resumed },
      async (span) => {
        const reached = await deps.execute(claimed, control);
        span.set(
          reached === 'resting'
            ? { status: 'waiting' }
            : { status: reached.status, stop_reason: reached.stopReason },
        );
        return reached;
      },
    );
    if (end === 'resting') return 'left';
    reportEnd(deps, claimed, end);
    return 'ended';
  } catch (thrown) {
    const error = toRuntimeError(thrown);
    if (error.code === 'approval_required') {
      deps.logger.info({ run_id: run.id }, error.message);
      return 'left';
    }
    deps.logger.warn(
      { run_id: run.id, code: error.code, ...(error.cause ? { err: error.cause } : {}) },
      `run stopped without an end: ${error.message}`,
    );
    if (error.code === 'lost_lease') return 'left';
    // Best effort: if the store is what failed, the lease expires by itself.
    await deps.runs.release([{ runId: run.id, leaseId: lease.id }]).catch(() => {});
    return error.code === 'shutting_down' ? 'left' : 'faulted';
  }
}

function reportEnd(deps: SuperviseDeps, { run }: ClaimedRun, end: RunEnd): void {
  const durationMs = deps.clock.nowMs() - (run.startedAtMs ?? run.createdAtMs);
  deps.metrics.runEnded(end.status, durationMs);
  deps.logger.info(
    {
      run_id: run.id,
      agent_id: run.agentId,
      status: end.status,
      stop_reason: end.stopReason,
      duration_ms: durationMs,
    },
    'run ended',
  );
}

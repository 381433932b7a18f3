import { toIso } from '../../core/clock.ts';
import { toUsd } from '../../core/costs/money.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import type { StatusReport } from '../../core/status.ts';
import { encodeSchedulerState } from '../jobs/job-codec.ts';
import { encodeSwitchState } from '../kill-switch/kill-switch-codec.ts';
import { encodeRunSummary, takeFittingRuns } from '../runs/run-codec.ts';
import type { StatusShape } from './status-shapes.ts';

export function encodeStatus(report: StatusReport): StatusShape {
  const { counts, limits, model } = report;
  return {
    run_count: RUN_STATUSES.reduce((sum, status) => sum + counts[status], 0),
    runs: takeFittingRuns(report.runs).map(encodeRunSummary),
    counts: {
      queued: counts.queued,
      running: counts.running,
      waiting: counts.waiting,
      cancelling: counts.cancelling,
      completed: counts.completed,
      failed: counts.failed,
      cancelled: counts.cancelled,
    },
    model: { provider: model?.provider ?? '', name: model?.name ?? '' },
    version: report.version,
    engine: report.engine,
    started_at: toIso(report.startedAtMs),
    uptime_seconds: Math.floor(report.uptimeMs / 1000),
    scheduler: encodeSchedulerState(report.scheduler),
    queue: {
      queued: counts.queued,
      running: counts.running,
      max_queued: limits.maxQueued,
      max_concurrent: limits.maxConcurrent,
    },
    kill_switch: encodeSwitchState(report.killSwitch),
    effects: { unknown: report.unknownEffects },
    approvals: { pending: report.pendingApprovals },
    spend_today: {
      day: report.spent.day,
      usd: toUsd(report.spent.pico),
      tokens_in: report.spent.tokensIn,
      tokens_out: report.spent.tokensOut,
    },
    circuits: { open: report.openCircuits ? [...report.openCircuits] : null },
    warnings: [...report.warnings],
  };
}

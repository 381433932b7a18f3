import { toIso } from '../../core/clock.ts';
import type { Count } from '../../core/observability/counts.ts';
import type { Summary } from '../../core/observability/summary.ts';
import type { SummaryShape } from './observability-shapes.ts';

export function encodeSummary(summary: Summary): SummaryShape {
  return {
    generated_at: toIso(summary.generatedAtMs),
    window_minutes: summary.windowMinutes,
    total_security_events: summary.totalSecurityEvents,
    total_errors: summary.totalErrors,
    security_event_counters: summary.securityEvents.map(encodeCount),
    error_taxonomy_counters: summary.errorTaxonomies.map(encodeCount),
    alert_status: summary.alertStatus,
    alerts: summary.alerts.map(({ key, times, threshold, message, recoveryAction }) => ({
      id: key,
      count: times,
      threshold,
      message,
      recovery_action: recoveryAction,
    })),
  };
}

function encodeCount({ key, times }: Count) {
  return { key, count: times };
}

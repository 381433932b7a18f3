import { toIso } from '../../core/clock.ts';
import type { PanelEntry } from '../../core/integrations/panel.ts';
import type { IntegrationShape } from './integration-shapes.ts';

export function encodeIntegration(entry: PanelEntry): IntegrationShape {
  const { id, name, status, message, recoveryAction, check } = entry;
  return {
    ...{ id, name, status, mock_ready: false, message },
    recovery_action: recoveryAction ?? null,
    checked_at: check === undefined ? null : toIso(check.atMs),
    duration_ms: check?.durationMs ?? null,
    http_status: check?.httpStatus ?? null,
  };
}

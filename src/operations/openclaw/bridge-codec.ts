import { toIso } from '../../core/clock.ts';
import type { BridgeStatus } from '../../core/openclaw/bridge.ts';
import type { BridgeStatusShape } from './bridge-shapes.ts';

export function encodeBridge(status: BridgeStatus): BridgeStatusShape {
  const { gateway, lastError, connectedAtMs, nextAttemptAtMs } = status;
  return {
    state: status.state,
    url: status.url ?? null,
    dialect: status.dialect ?? null,
    device_id: status.deviceId ?? null,
    gateway:
      gateway === undefined
        ? null
        : {
            version: gateway.version ?? null,
            protocol: gateway.protocol ?? null,
            scopes: [...gateway.scopes],
          },
    connected_at: connectedAtMs === undefined ? null : toIso(connectedAtMs),
    failures: status.failures,
    next_attempt_at: nextAttemptAtMs === undefined ? null : toIso(nextAttemptAtMs),
    last_error:
      lastError === undefined
        ? null
        : {
            code: lastError.code,
            message: lastError.message,
            action: lastError.action,
            at: toIso(lastError.atMs),
          },
    open_runs: status.openRuns,
    unclaimed_events: status.unclaimedEvents,
  };
}

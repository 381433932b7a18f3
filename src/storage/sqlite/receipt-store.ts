import type { ReceiptStore } from '../../core/integrations/receipt-store.ts';
import type { JsonObject } from '../../core/json.ts';
import { toJsonText } from './json-text.ts';
import type { PortDeps } from './port-deps.ts';
import { getRow } from './rows.ts';

export function createReceiptStore({ db, read, writer }: PortDeps): ReceiptStore {
  const select = db.prepare(
    'SELECT digest, result FROM integration_calls WHERE scope = ? AND call_id = ?',
  );
  return {
    open: (call) => writer.submit('openCall', call),
    renew: (claim, leaseMs) => writer.submit('renewCall', claim, leaseMs),
    settle: (claim, end) => writer.submit('settleCall', claim, end),
    release: (claim) => writer.submit('releaseCall', claim),
    find: ({ scope, callId }) =>
      read(() => {
        const key = [toJsonText(scope), toJsonText(callId)] as const;
        const row = getRow<{ digest: string; result: string | null }>(select, ...key);
        if (!row) return undefined;
        const result = row.result === null ? undefined : (JSON.parse(row.result) as JsonObject);
        return { digest: row.digest, result };
      }),
  };
}

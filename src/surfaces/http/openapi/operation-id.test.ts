import { expect, test } from 'vitest';
import { toOperationId } from './operation-id.ts';

test.each([
  ['get', '/v1/runs', 'getRuns'],
  ['get', '/v1/runs/{run_id}', 'getRunsByRunId'],
  ['post', '/v1/runs/{run_id}/cancel', 'postRunsByRunIdCancel'],
  ['get', '/api/admin/runs', 'getAdminRuns'],
  ['post', '/internal/v1/tools/execute', 'postInternalToolsExecute'],
  ['get', '/openapi.json', 'getOpenapiJson'],
  [
    'post',
    '/api/admin/tools/{tool}/circuit-breaker/reset',
    'postAdminToolsByToolCircuitBreakerReset',
  ],
])('%s %s is %s', (method, path, expected) => {
  expect(toOperationId(method, path)).toBe(expected);
});

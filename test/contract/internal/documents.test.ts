import { expect, test } from 'vitest';
import {
  createInternalSurface,
  type InternalDeps,
} from '../../../src/surfaces/internal/create-internal-surface.ts';
import { INTERNAL_ERRORS } from '../../../src/surfaces/internal/errors.ts';
import { describeOperations, readContract, readOperations } from '../described-surface.ts';

const surface = createInternalSurface({ auth: {} } as InternalDeps);

test('docs/contracts/internal.md lists every operation with its statuses', async () => {
  const operations = await describeOperations(surface);

  expect(await readOperations('internal.md')).toEqual(
    operations.map(({ name, statuses }) => `${name}: ${statuses}`).sort(),
  );
});

test('docs/contracts/internal.md lists every error as it is sent', async () => {
  const table = await readContract('internal.md', 'Errors');
  const rows = [...table.matchAll(/^\| `(\w+)` \| (\d+) \| `(\w+)` \|$/gm)];

  expect(rows.map(([, core, status, code]) => [core, Number(status), code])).toEqual(
    Object.entries(INTERNAL_ERRORS).map(([core, [status, code]]) => [core, status, code]),
  );
});

test('every operation says what it does and asks for a signature', async () => {
  const operations = await describeOperations(surface);

  for (const { name, operation } of operations) {
    expect(operation.summary ?? '', name).not.toBe('');
    expect(operation.description, name).toMatch(/\.$/);
    expect(operation.security, name).toEqual([{ signature: [] }]);
  }
});

test('a body is documented as optional where the contract has it so', async () => {
  const operations = await describeOperations(surface);

  const optional = operations.filter(({ operation }) => operation.requestBody?.required === false);

  expect(optional.map(({ name }) => name)).toEqual([
    'POST /internal/v1/codex/workers',
    'POST /internal/v1/codex/workers/{worker_id}/stop',
  ]);
});

/** What the tests of the runtime that the contract came from expect of every route, and the claim mismatch. */
const CONTRACT_STATUSES: Readonly<Record<string, string>> = {
  'GET /internal/v1/health': '200 401 403',
  'POST /internal/v1/comms/delivery-events': '200 202 400 401 403 409',
  'POST /internal/v1/tools/execute': '200 400 401 403 422',
  'GET /internal/v1/skills/tool-specs': '200 401 403',
  'POST /internal/v1/skills/tool-specs': '201 400 401 403 422',
  'GET /internal/v1/skills/skill-specs': '200 401 403',
  'POST /internal/v1/skills/skill-specs': '201 400 401 403 422',
  'POST /internal/v1/skills/skill-specs/{skill_id}/{version}/publish': '201 400 401 403 404 422',
  'GET /internal/v1/skills/releases/{skill_id}/{version}': '200 400 401 403 404',
  'GET /internal/v1/codex/workers': '200 400 401 403',
  'POST /internal/v1/codex/workers': '200 202 400 401 403',
  'GET /internal/v1/codex/workers/{worker_id}/snapshot': '200 400 401 403 404',
  'POST /internal/v1/codex/workers/{worker_id}/requests': '200 400 401 403 404 409',
  'GET /internal/v1/codex/workers/{worker_id}/stream': '200 400 401 403 404 410',
  'POST /internal/v1/codex/workers/{worker_id}/stop': '200 202 400 401 403 404',
  'GET /internal/v1/runs/{run_id}/snapshot': '200 400 401 403 404',
  'POST /internal/v1/runs/{run_id}/frames': '200 202 400 401 403 404 409',
  'POST /internal/v1/runs/{run_id}/cancel': '200 202 400 401 403 404',
  'GET /internal/v1/runs/{run_id}/stream': '200 400 401 403 404 410',
};

test.each(Object.entries(CONTRACT_STATUSES))('documents %s with %s', async (name, statuses) => {
  const operations = await describeOperations(surface);

  const documented = operations.find((one) => one.name === name)?.statuses.split(' ') ?? [];

  expect(statuses.split(' ').filter((status) => !documented.includes(status))).toEqual([]);
});

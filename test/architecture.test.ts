import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const IN_PACKAGE = /^.*node_modules\/([^/]+)\/.*$/;
const config: IConfiguration = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

async function findViolations(baseDir: string): Promise<string[]> {
  const { forbidden = [], options } = config;
  const { output } = await cruise(['src', 'dashboard/src'], {
    ...options,
    baseDir,
    validate: true,
    ruleSet: { forbidden },
  });
  const { violations } = (output as ICruiseResult).summary;
  return violations
    .map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to.replace(IN_PACKAGE, '$1')}`)
    .sort();
}

// The sources themselves are looked at by `npm run check`.
const planted = findViolations(`${root}test/fixtures/architecture`);

test('finds every planted violation of the import rules and nothing else', async () => {
  const violations = await planted;

  expect(violations).toEqual([
    'adapters-see-core-only: src/providers/peek.ts -> src/storage/sqlite/store.ts',
    'adapters-see-core-only: src/voice/peek.ts -> src/storage/sqlite/store.ts',
    'api-is-below-kit: dashboard/src/api/upwards.ts -> dashboard/src/kit/button.tsx',
    'core-has-no-drivers: src/core/driver.ts -> fs',
    'core-has-no-drivers: src/core/driver.ts -> pg',
    'core-is-pure: src/core/impure.ts -> src/storage/sqlite/store.ts',
    'kit-is-below-pages: dashboard/src/kit/upwards.tsx -> dashboard/src/pages/other/part.tsx',
    'no-cycles: dashboard/src/kit/cycle-a.tsx -> dashboard/src/kit/cycle-b.tsx',
    'no-cycles: src/core/cycle-a.ts -> src/core/cycle-b.ts',
    'no-unresolvable: src/config/lost.ts -> ./nowhere.ts',
    'nothing-sees-pages: src/surfaces/v1/page.ts -> dashboard/src/page.tsx',
    'operations-have-no-drivers: src/operations/driver.ts -> crypto',
    'operations-see-core-only: src/operations/peek.ts -> src/surfaces/http/kit.ts',
    'pages-see-operations-only: dashboard/src/page.tsx -> src/surfaces/http/kit.ts',
    'pages-stand-alone: dashboard/src/pages/one/peek.tsx -> dashboard/src/pages/other/part.tsx',
    'platform-has-no-packages: src/platform/packaged.ts -> pg',
    'platform-sees-core-only: src/platform/upwards.ts -> src/storage/sqlite/store.ts',
    'surfaces-see-core-and-kit: src/surfaces/v1/routes.ts -> src/surfaces/admin/routes.ts',
  ]);
});

test('plants a violation of every rule there is', async () => {
  const violations = await planted;

  const violated = new Set(violations.map((violation) => violation.split(':')[0]));
  expect([...violated].sort()).toEqual(config.forbidden?.map(({ name }) => name).sort());
});

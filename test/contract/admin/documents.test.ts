import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildOpenApi } from '../../../src/surfaces/http/build-openapi.ts';
import type { OpenApiDocument } from '../../../src/surfaces/http/openapi-document.ts';
import type { SurfaceKit } from '../../../src/surfaces/http/surface.ts';
import { openAdminServer } from './test-admin-server.ts';

async function buildDocument(): Promise<OpenApiDocument> {
  const { surface } = await openAdminServer();
  // A document is made of routes and their schemas; nothing is served.
  const kit = {} as SurfaceKit;
  return buildOpenApi([surface], kit, { title: 'Pincer', version: '0', description: 'A test.' });
}

function operationsOf(document: OpenApiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

test('docs/contracts/admin.md lists every operation with its statuses', async () => {
  const file = new URL('../../../docs/contracts/admin.md', import.meta.url);
  const text = await readFile(file, 'utf8');
  const table = text.slice(text.indexOf('## Every operation'));
  const rows = [...table.matchAll(/^\| `([A-Z]+ [^`]+)` \| ([\d ]+) \|$/gm)];

  const operations = operationsOf(await buildDocument());

  expect(rows.map(([, name, statuses]) => `${name}: ${statuses}`).sort()).toEqual(
    operations
      .map(({ name, operation }) => `${name}: ${Object.keys(operation.responses ?? {}).join(' ')}`)
      .sort(),
  );
});

test('every operation says what it does and asks for the token', async () => {
  const operations = operationsOf(await buildDocument());

  for (const { name, operation } of operations) {
    expect([name, operation.summary], name).not.toEqual([name, '']);
    expect(operation.description, name).toMatch(/\.$/);
    expect(operation.security, name).toEqual([{ bearer: [] }]);
  }
});

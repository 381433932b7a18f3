import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer, type Server } from '../../src/server.ts';
import type {
  OpenApiDocument,
  OpenApiOperation,
} from '../../src/surfaces/http/openapi/openapi-document.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

/** The document of all surfaces together, for what linters and generators of clients ask of it. */
let root: TempRoot;
let server: Server;
let document: OpenApiDocument;

beforeAll(async () => {
  root = await openTempRoot();
  server = await openServer({ root: root.path, env: {}, flags: { port: '0', logLevel: 'silent' } });
  const token = (await readFile(join(root.path, '.openclawssy/token'), 'utf8')).trim();
  const response = await fetch(`${server.url}/openapi.json`, {
    headers: { authorization: `Bearer ${token}` },
  });
  document = (await response.json()) as OpenApiDocument;
});

afterAll(async () => {
  await server.close();
  await root.remove();
});

function operations(): [name: string, operation: OpenApiOperation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, OpenApiOperation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
}

test('says where it is served, and under which licence', () => {
  expect(document.servers).toEqual([{ url: '/', description: 'This server.' }]);
  expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
});

test('every operation has an id of its own that clients can be generated from', () => {
  const ids = operations().map(([, { operationId }]) => operationId ?? '');

  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test('every operation says how to authenticate, by schemes that are defined', () => {
  const schemes = Object.keys(document.components?.securitySchemes ?? {});
  const open = operations().filter(([, { security }]) => security?.length === 0);
  const undefinedOnes = operations().filter(
    ([, { security }]) =>
      security === undefined ||
      security.flatMap((one) => Object.keys(one)).some((name) => !schemes.includes(name)),
  );

  expect(undefinedOnes.map(([name]) => name)).toEqual([]);
  // Whoever opens another route to everybody says so here.
  expect(open.map(([name]) => name)).toEqual([
    'get /',
    'get /healthz',
    'post /dashboard/session',
    'get /health/live',
    'get /health/ready',
  ]);
});

test('every operation has an answer that is good, one that is not, a summary and tags', () => {
  const unfit = operations().filter(([, { responses = {}, summary, tags }]) => {
    const statuses = Object.keys(responses);
    const isAnswered = statuses.some((one) => /^[23]/.test(one));
    return !isAnswered || !statuses.some((one) => one.startsWith('4')) || !summary || !tags?.length;
  });

  expect(unfit.map(([name]) => name)).toEqual([]);
});

test('every parameter of a path is declared, and none that is not in it', () => {
  const unfit = operations().filter(([name, { parameters = [] }]) => {
    const inPath = [...name.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter);
    const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name);
    return inPath.sort().join() !== declared.sort().join();
  });

  expect(unfit.map(([name]) => name)).toEqual([]);
});

test('every reference leads to a schema, and every schema is referred to', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, target = '']) => target,
  );
  const known = Object.keys(document.components?.schemas ?? {}).map(
    (name) => `#/components/schemas/${name}`,
  );

  expect([...new Set(references)].sort()).toEqual(known.sort());
});

test('no schema requires a member that it does not define', () => {
  const unfit: string[] = [];
  visit(document.components?.schemas, '#/components/schemas', unfit);
  visit(document.paths, '#/paths', unfit);

  expect(unfit).toEqual([]);
});

function visit(value: unknown, path: string, unfit: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const { required, properties = {} } = value as { required?: unknown; properties?: object };
  if (Array.isArray(required)) {
    const missing = required.filter((name: string) => !Object.hasOwn(properties, name));
    if (missing.length > 0) unfit.push(`${path}: ${missing.join(', ')}`);
  }
  for (const [key, member] of Object.entries(value)) visit(member, `${path}/${key}`, unfit);
}

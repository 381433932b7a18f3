import { expect, test } from 'vitest';
import { RuntimeError } from '../../../../src/core/errors.ts';
import { fieldErrorsOf, findSchema, readPath, toPatch } from './config-paths.ts';

const SCHEMA = {
  properties: {
    server: { properties: { port: { type: 'integer', minimum: 1 } } },
    engine: { $ref: '#/$defs/engine' },
  },
  $defs: { engine: { properties: { mode: { enum: ['a', 'b'] } } } },
};

test('a field is read by its path, and is undefined where nothing is set', () => {
  expect(readPath({ server: { port: 80 } }, 'server.port')).toBe(80);
  expect(readPath({}, 'server.port')).toBeUndefined();
});

test('the schema of a field is found, through references too', () => {
  expect(findSchema(SCHEMA, 'server.port')).toEqual({ type: 'integer', minimum: 1 });
  expect(findSchema(SCHEMA, 'engine.mode')).toEqual({ enum: ['a', 'b'] });
  expect(findSchema(SCHEMA, 'no.such')).toEqual({});
});

test('changes become the document that says only what differs', () => {
  const changes = {
    'server.port': { value: 81 },
    'server.host': { value: null },
    mode: { value: 'x' },
  };

  expect(toPatch(changes, {})).toEqual({ server: { port: 81, host: null }, mode: 'x' });
});

test('an entry that was taken out of a map is null in the patch, however deep it was', () => {
  const weather = { command: 'weather' };
  const mail = { command: 'mail', env: { TOKEN: 'x', REGION: 'eu' } };
  const left = { mail: { command: 'mail2', env: { TOKEN: 'x' } }, files: { command: 'files' } };

  const patch = toPatch(
    { mcpServers: { value: left }, 'tools.granted': { value: ['fs.read'] } },
    { mcpServers: { weather, mail }, tools: { granted: ['fs.read', 'fs.write'] } },
  );

  expect(patch).toEqual({
    mcpServers: {
      weather: null,
      mail: { command: 'mail2', env: { REGION: null } },
      files: { command: 'files' },
    },
    tools: { granted: ['fs.read'] },
  });
});

test('a map that was emptied is emptied', () => {
  const patch = toPatch({ prices: { value: {} } }, { prices: { 'a/b': { input_per_million: 1 } } });

  expect(patch).toEqual({ prices: { 'a/b': null } });
});

test("the server's refusal is told beside its field", () => {
  const refusal = new RuntimeError('invalid_input', 'no', {
    details: { field_errors: [{ path: 'server.port', message: 'must be at most 65535' }] },
  });

  expect(fieldErrorsOf(refusal)).toEqual({ 'server.port': 'must be at most 65535' });
  expect(fieldErrorsOf(new Error('gone'))).toEqual({});
});

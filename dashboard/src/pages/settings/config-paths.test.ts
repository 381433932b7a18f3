import { expect, test } from 'vitest';
import { RuntimeError } from '../../../../src/core/errors.ts';
import {
  fieldErrorsOf,
  findSchema,
  isConflict,
  isField,
  isKeepable,
  readPath,
  toPatch,
} from './config-paths.ts';

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
    'server.port': { base: 80, value: 81 },
    'server.host': { base: null, value: null },
    mode: { base: 'y', value: 'x' },
  };

  expect(toPatch(changes, {})).toEqual({ server: { port: 81, host: null }, mode: 'x' });
});

test('an entry that was taken out of a map is null in the patch, however deep it was', () => {
  const weather = { command: 'weather' };
  const mail = { command: 'mail', env: { TOKEN: 'x', REGION: 'eu' } };
  const left = { mail: { command: 'mail2', env: { TOKEN: 'x' } }, files: { command: 'files' } };

  const patch = toPatch(
    {
      mcpServers: { base: null, value: left },
      'tools.granted': { base: null, value: ['fs.read'] },
    },
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
  const patch = toPatch(
    { prices: { base: null, value: {} } },
    { prices: { 'a/b': { input_per_million: 1 } } },
  );

  expect(patch).toEqual({ prices: { 'a/b': null } });
});

test('a change is at odds with what another saved since, unless that is the same', () => {
  const change = { base: 80, value: 81 };

  expect(isConflict(change, 80)).toBe(false);
  expect(isConflict(change, 82)).toBe(true);
  expect(isConflict(change, 81)).toBe(false);
  expect(isConflict({ base: null, text: '{"a":' }, undefined)).toBe(false);
});

test('what may hold a secret is not remembered by the browser', () => {
  expect(isKeepable({ type: 'object' }, 'mcpServers')).toBe(false);
  expect(isKeepable({ type: 'string' }, 'providers.openai.base_url')).toBe(false);
  expect(isKeepable({ type: 'string' }, 'projection.url')).toBe(false);
  expect(isKeepable({ type: 'integer' }, 'server.port')).toBe(true);
  expect(isKeepable({ type: 'array' }, 'shell.allowed_commands')).toBe(true);
});

test('what a map or a list is made of is no field of the document', () => {
  expect(isField('prices')).toBe(true);
  expect(isField('prices.<provider/name>.input_per_million')).toBe(false);
  expect(isField('policy.rules[].tool')).toBe(false);
});

test("the server's refusal is told beside its field", () => {
  const refusal = new RuntimeError('invalid_input', 'no', {
    details: { field_errors: [{ path: 'server.port', message: 'must be at most 65535' }] },
  });

  expect(fieldErrorsOf(refusal)).toEqual({ 'server.port': 'must be at most 65535' });
  expect(fieldErrorsOf(new Error('gone'))).toEqual({});
});

import { expect, test } from 'vitest';
import { FIELD_EFFECTS, findFieldEffect } from './field-effects.ts';
import { listFields } from './schema/schema-fields.ts';

test('every field of the schema says when a change of it counts', () => {
  const unclassified = listFields().filter(({ path }) => {
    const [section = '', name = ''] = path.split('.');
    const effect = (FIELD_EFFECTS as Record<string, string | Record<string, string>>)[section];
    return (typeof effect === 'object' ? effect[name] : effect) === undefined;
  });

  expect(unclassified.map(({ path }) => path)).toEqual([]);
});

test('the table names no field that the schema does not have', () => {
  const known = new Set(listFields().flatMap(({ path }) => [path, path.split('.')[0]]));
  const named = Object.entries(FIELD_EFFECTS).flatMap(([section, effect]) =>
    typeof effect === 'object' ? Object.keys(effect).map((name) => `${section}.${name}`) : section,
  );

  expect(named.filter((path) => !known.has(path))).toEqual([]);
});

test('what is opened once needs a restart, and what is read at each use does not', () => {
  const restart = listFields()
    .map(({ path }) => path)
    .filter((path) => findFieldEffect(path) === 'restart' && !path.startsWith('server.'));

  expect(restart).toEqual([
    'version',
    'engine.lease_ms',
    'engine.shutdown_grace_ms',
    'secrets.store_file',
    'secrets.master_key_file',
    'sandbox.active',
    'sandbox.provider',
    'sandbox.docker_image',
    'tool_reliability.keep_breakers',
    'tool_reliability.overrides',
    'tool_reliability.overrides.<tool>.breaker',
    'tool_reliability.overrides.<tool>.retry',
    'tool_reliability.overrides.<tool>.idempotency',
    'openclaw.url',
    'openclaw.dialect',
    'openclaw.default_agent',
    'openclaw.token_secret',
    'openclaw.password_secret',
    'openclaw.allow_principals',
    'openclaw.allow_plaintext',
    'openclaw.connect_timeout_ms',
    'openclaw.request_timeout_ms',
    'openclaw.max_reconnects',
    'projection.sink',
    'projection.directory',
    'projection.url',
    'projection.deploy_key_secret',
    'projection.run_mutation',
    'projection.worker_mutation',
    'projection.timeout_ms',
    'projection.interval_ms',
    'projection.scan_ms',
    'workspace.root',
    'workspace.per_principal',
    'records.audit_fsync_ms',
    'logging.format',
  ]);
});

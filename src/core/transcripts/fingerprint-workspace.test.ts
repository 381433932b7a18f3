import { expect, test } from 'vitest';
import { fingerprintWorkspace } from './fingerprint-workspace.ts';

test.each([
  ['/home/user/project', 'f8a71a04e8340307'],
  ['/tmp/ws', '40884622fba0c3c6'],
  ['/', 'af63a24c860189fe'],
])('%s has the fingerprint that other programs compute', (path, expected) => {
  expect(fingerprintWorkspace(path)).toBe(expected);
});

test('a path is taken as UTF-8', () => {
  expect(fingerprintWorkspace('/é')).not.toBe(fingerprintWorkspace('/e'));
  expect(fingerprintWorkspace('/日本')).toMatch(/^[0-9a-f]{16}$/);
});

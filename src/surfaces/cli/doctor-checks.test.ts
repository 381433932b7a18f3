import { expect, test } from 'vitest';
import { checkNode } from './doctor-checks.ts';

test('the floor of Node is checked to the minor version', () => {
  expect(checkNode('18.20.0').status).toBe('fail');
  expect(checkNode('20.10.9')).toEqual({
    status: 'fail',
    summary: 'Node 20.10.9 is too old',
    fix: 'install Node 20.11 or newer, 24 is recommended',
  });
  expect(checkNode('20.11.0')).toEqual({
    status: 'ok',
    summary: 'Node 20.11.0 (24 is recommended)',
  });
  expect(checkNode('24.1.0')).toEqual({ status: 'ok', summary: 'Node 24.1.0' });
});

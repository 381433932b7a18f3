import { expect, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';

test('a program sees what is on the list, and no shell function', () => {
  const own = {
    PATH: '/bin',
    OPENAI_API_KEY: 'secret',
    HOOK: '() { :; }; run',
    EMPTY: '',
    GONE: undefined,
  };

  const environment = childEnvironment(own, ['PATH', 'HOOK', 'EMPTY', 'GONE', 'ABSENT']);

  expect(environment).toEqual({ PATH: '/bin', EMPTY: '' });
});

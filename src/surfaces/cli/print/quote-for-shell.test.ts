import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteForShell } from './quote-for-shell.ts';

test('a shell reads back the path that was quoted', () => {
  const paths = ['/srv/agents', '/srv/my agents', "/srv/it's $HOME", '/srv/`id`;"x"\n*'];

  const read = paths.map((path) =>
    execFileSync('sh', ['-c', `printf %s ${quoteForShell(path)}`], { encoding: 'utf8' }),
  );

  expect(read).toEqual(paths);
  expect(quoteForShell('/srv/agents')).toBe('/srv/agents');
});

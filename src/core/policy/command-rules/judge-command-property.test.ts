import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTempRoot } from '../../../../test/support/temp-root.ts';
import { type CommandRules, judgeLine } from './judge-command.ts';

const PIECES = [
  ...[
    'echo',
    'ls',
    'pwn',
    ' ',
    ' ',
    ' ',
    '\n',
    ';',
    '&',
    '|',
    '&&',
    '(',
    ')',
    '{',
    '}',
    '$(',
    '`',
    '"',
    "'",
  ],
  ...[
    '\\',
    '$x',
    `\${x}`,
    '<(',
    '<<E',
    'E',
    '\nE\n',
    '>',
    '2>&1',
    '/dev/null',
    '#',
    '!',
    'if ',
    'then ',
    'fi',
  ],
  ...[
    'do ',
    'done',
    'for x in ',
    'while ',
    'case ',
    'x=',
    'env ',
    'sh -c ',
    'xargs ',
    '$',
    '*',
    '=',
    '[[ ',
    '((',
    '))',
  ],
];

/** The same sequence in every run, so that a failure can be repeated. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

test('allows no random line that makes a real shell run something else', {
  timeout: 60_000,
}, async () => {
  const root = await openTempRoot();
  const programs = join(root.path, 'bin');
  await mkdir(programs);
  await writeFile(join(programs, 'pwn'), `#!/bin/sh\n: > "${root.path}/pwned"\n`);
  for (const name of ['ls', 'cat']) await writeFile(join(programs, name), '#!/bin/sh\n');
  for (const name of ['pwn', 'ls', 'cat']) await chmod(join(programs, name), 0o755);
  const rules: CommandRules = {
    allow: ['echo', 'ls', 'true', '>'],
    ask: [],
    deny: [],
    otherwise: 'deny',
  };
  const random = createRandom(20_251);
  const allowed = new Set<string>();
  for (let tries = 0; tries < 200_000 && allowed.size < 250; tries += 1) {
    const pieces = Array.from({ length: 4 + random(14) }, () => PIECES[random(PIECES.length)]);
    const line = `echo ${pieces.join('')}`;
    if (line.includes('pwn') && judgeLine(rules, line).verdict === 'allow') allowed.add(line);
  }

  const broken = [...allowed].filter((line) => {
    for (const shell of ['bash', 'sh']) {
      const options = { cwd: root.path, env: { PATH: programs, x: 'pwn' }, timeout: 5_000 };
      spawnSync(`/bin/${shell}`, ['-c', line], options);
    }
    return existsSync(join(root.path, 'pwned'));
  });
  await root.remove();

  expect(broken.slice(0, 5)).toEqual([]);
  expect(allowed.size).toBeGreaterThan(100);
});

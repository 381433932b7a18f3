import { spawnSync } from 'node:child_process';
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

/** Names the lines that ran `pwn`. Starting a shell from a small program is a hundred times cheaper than from here. */
const DRIVER = `
  cd "$2" && ulimit -t 2 || exit 1
  while read -r index; do
    IFS= read -r -d '' line <"$index"
    for shell in /bin/bash /bin/sh; do
      PATH=$1 x=pwn "$shell" -c "$line" </dev/null >/dev/null 2>&1
    done
    [ -e pwned ] && echo "$index" && /bin/rm -f pwned
  done
  echo 'all were tried'`;

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

  const lines = [...allowed];
  for (const [index, line] of lines.entries()) await writeFile(join(root.path, `${index}`), line);
  const { stdout } = spawnSync('/bin/bash', ['-c', DRIVER, 'driver', programs, root.path], {
    encoding: 'utf8',
    input: lines.map((_, index) => `${index}\n`).join(''),
  });
  await root.remove();

  const [ended, ...broken] = stdout.trim().split('\n').reverse();
  expect(broken.map((index) => lines[Number(index)])).toEqual([]);
  expect(ended).toBe('all were tried');
  expect(allowed.size).toBeGreaterThan(100);
});

import { expect, test } from 'vitest';
import { createPlaceOf } from '../../../toolbox/shell/place-of.ts';
import { type CommandRules, findAnswers, judgeCommand, judgeLine } from './judge-command.ts';
import { COMMAND_ATTACKS } from './test-command-attacks.ts';

/** A trusting operator: whatever starts other programs is allowed by name. */
const RULES: CommandRules = {
  allow: [
    'awk bash cat cd command docker echo env export fd find git grep head ls make nice nohup npm npx printf read rg rsync',
    'sed sh sort ssh sudo tar test time timeout true watch wc xargs [ zip',
  ]
    .join(' ')
    .split(' '),
  ask: [],
  deny: [],
  otherwise: 'deny',
};

test.each([
  'ls',
  'ls -la src | grep ts | wc -l',
  'git status && git diff --stat; git log -5 --oneline',
  'git -C sub log --format="%h %s"',
  'git commit -m "a message; with \'signs\' & more"',
  "echo 'rm -rf / $(rm) `rm` ; rm'",
  'echo "it costs 5$ & more"',
  `echo $HOME \${HOME} "$PWD" *.ts {a,b} ~`,
  'cat file 2>/dev/null >&2 2>&1 < input',
  'for f in src/*.ts; do wc -l "$f"; done',
  'if true; then echo yes; else echo no; fi',
  'count=$(ls | wc -l); echo "$count"',
  'echo `ls` $(cat "$(ls)")',
  '(cd src && ls) && { echo done; }',
  '! grep -q needle hay || echo found',
  'cat <<EOF\nplain text; rm -rf is only text here\nEOF',
  "cat <<'EOF'\n$(rm) `rm`\nEOF\nls",
  'echo one \\\n  two \\\n  three',
  '# a comment; rm -rf /\nls # rm',
  'LANG=C sort names.txt',
  'env TZ=UTC LC_ALL=C ls',
  'timeout 5 nice -n 5 git status',
  'time -p ls',
  'bash -lc "ls | wc -l"',
  "sh -ec 'cd src; ls'",
  'find src -name "*.ts" -type f',
  "find . -name '*.log' -exec grep -l error {} +",
  'find . -type f -print0 | xargs -0 grep needle',
  'ls | xargs -I{} echo {}',
  "awk -F: '{ print $1, $2 }' names",
  "sed -n '1,5p' file",
  "sed 's/a/b/g;s|x|y|' file",
  'tar -czf out.tar.gz src',
  'tar xf in.tar ./*.txt',
  'command -v git',
  'diff=1; export CI=true',
  '[ -f file ] && test 1 -lt 2',
  'rg --files -g "*.ts"',
  'echo x > file',
  'echo x >> ./dir/file 2> errors',
  'echo x >| file',
  'echo x &> file',
  'echo x &>> file',
  'echo x >& file',
  'cat <<EOF > file\ntext\nEOF',
  'git diff 2>&1 | grep x > found',
])('allows %j', (line) => {
  expect(judgeLine(RULES, line)).toMatchObject({ verdict: 'allow', reason: 'rule_allow' });
});

test('has enough attacks to mean something', () => {
  expect(new Set(COMMAND_ATTACKS).size).toBeGreaterThan(150);
});

test.each(COMMAND_ATTACKS)('never allows %j', (line) => {
  expect(judgeLine(RULES, line).verdict).toBe('deny');
});

test('names the part that decided, and why', () => {
  expect(judgeLine(RULES, 'ls | sort && rm -rf x')).toEqual({
    verdict: 'deny',
    reason: 'no_rule',
    part: 'rm -rf x',
    message: 'rm -rf x: no rule allows it',
  });
  expect(judgeLine(RULES, 'eval ls')).toMatchObject({ reason: 'opaque', part: 'eval ls' });
});

test('allows by the first words of a command, and only whole words', () => {
  const rules: CommandRules = { ...RULES, allow: ['git status', 'npm run test:*', '> build/*'] };
  const verdicts = [
    'git status --short',
    'git statusx',
    'git push',
    'git',
    'git $X',
    'npm run test:unit -- --run',
    'npm run build',
    'git status > build/status',
    'git status > /other',
  ].map((line) => judgeLine(rules, line).verdict);

  expect(verdicts).toEqual([
    'allow',
    'deny',
    'deny',
    'deny',
    'deny',
    'allow',
    'deny',
    'allow',
    'deny',
  ]);
});

test.each([
  ['echo x > build/f', 'deny', 'ask'],
  ['echo x > ./build/f', 'deny', 'ask'],
  ['echo x > a/../build/f', 'deny', 'ask'],
  ['echo x > .//build/./f', 'deny', 'ask'],
  ['echo x > /ws/build/f', 'deny', 'ask'],
  ['echo x > /ws/a/../build/f', 'deny', 'ask'],
  ['cd build && echo x > f', 'ask', 'ask'],
  ['cd x && echo x > build/f', 'deny', 'ask'],
  ['(pushd build; echo x > f)', 'ask', 'ask'],
  ['env -C build bash -c "echo x > f"', 'ask', 'ask'],
  ['env --chdir=build bash -c "echo x > f"', 'ask', 'ask'],
  ['find build -execdir bash -c "echo x > f" ";"', 'ask', 'ask'],
  ['cd build && echo x > /ws/f', 'allow', 'allow'],
  ['echo x > builds', 'allow', 'allow'],
  ['cd build && echo x 2> /dev/null', 'allow', 'allow'],
] as const)('a rule about a redirection hears of %j', (line, denied, asked) => {
  const placeOf = createPlaceOf('/ws');
  const allow = ['echo', 'cd', 'pushd', 'find', '>'];
  const judge = (rules: Partial<CommandRules>) =>
    judgeLine({ ...RULES, allow, placeOf, ...rules }, line).verdict;

  expect([judge({ deny: ['> build/*'] }), judge({ ask: ['> build/*'] })]).toEqual([denied, asked]);
  expect(judge({ deny: ['> /ws/build/*'] }) === 'allow').toBe(denied === 'allow');
});

test('a rule that allows a redirection is about where it leads', () => {
  const judge = (line: string) =>
    judgeLine({ ...RULES, allow: ['echo', 'cd', '> /tmp/*'], placeOf: createPlaceOf('/ws') }, line);
  const lines = ['> /tmp/f', '> /tmp/a/../f', '> /tmp/../etc/f', '> ../tmp/f', '> ../etc/f'];

  expect(lines.map((line) => judge(`echo x ${line}`).verdict)).toEqual([
    ...['allow', 'allow', 'deny', 'allow', 'deny'],
  ]);
  expect(judge('cd src && echo x > file').verdict).toBe('deny');
});

test('denies a redirection to what is protected, whatever is allowed, and hears rules about others', () => {
  const placeOf = createPlaceOf(undefined);
  const rules: CommandRules = {
    ...RULES,
    allow: ['echo', 'cd', '>'],
    deny: ['> secret*'],
    placeOf,
  };
  const verdicts = [
    'echo x > file',
    'echo x > .git/config',
    'cd .git && echo x > config',
    'echo x > secret.txt',
  ].map((line) => judgeLine({ ...rules, allow: ['echo', 'cd'] }, line));

  expect(verdicts.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['allow', 'rule_allow'],
    ['deny', 'protected'],
    ['deny', 'no_rule'],
    ['deny', 'rule_deny'],
  ]);
  expect(judgeLine(rules, 'echo x > .git/config').verdict).toBe('deny');
});

test('denies and asks for a command wherever its words stand and by whatever path', () => {
  const rules: CommandRules = {
    ...RULES,
    allow: ['*'],
    ask: ['git push'],
    deny: ['rm', 'git reset --hard'],
  };
  const verdicts = [
    'ls -l',
    'git push',
    'git -C other push origin',
    'git $X',
    'rm x',
    '/bin/rm x',
    'git reset HEAD~1 --hard',
    'ls && git push && rm x',
    'python3 -c "print(1)"',
    'eval ls',
  ].map((line) => judgeLine(rules, line).verdict);

  expect(verdicts).toEqual([
    'allow',
    'ask',
    'ask',
    'deny',
    'deny',
    'deny',
    'deny',
    'deny',
    'allow',
    'deny',
  ]);
});

test('asks instead of denying where the operator wants to be asked', () => {
  const rules: CommandRules = { ...RULES, allow: ['ls'], deny: ['rm'], otherwise: 'ask' };

  expect(
    ['ls', 'cat x', 'eval ls', 'echo "', 'rm x'].map((line) => judgeLine(rules, line).verdict),
  ).toEqual(['allow', 'ask', 'ask', 'ask', 'deny']);
});

test('denies everything without a rule and allows everything with a lone star', () => {
  const none: CommandRules = { allow: [], ask: [], deny: [], otherwise: 'deny' };

  expect(judgeLine(none, 'ls').verdict).toBe('deny');
  expect(judgeLine({ ...none, allow: ['*'] }, 'eval "$X"').verdict).toBe('allow');
});

test('judges a command without a shell by its words, which nothing expands', () => {
  const verdicts = [
    ['ls', '; rm x', '$(rm x)'],
    ['bash', '-lc', 'ls'],
    ['bash', '-lc', 'ls; rm x'],
    ['env', 'rm'],
    [''],
    [],
  ].map((argv) => judgeCommand(RULES, argv).verdict);

  expect(verdicts).toEqual(['allow', 'allow', 'deny', 'deny', 'deny', 'deny']);
});

const ASK_ALL: CommandRules = { allow: [], ask: ['*'], deny: [], otherwise: 'deny' };

test.each([
  ['a line', (line: string) => ['bash', '-lc', line]],
  ['a program with arguments', (line: string) => line.split(' ')],
])(
  'where a person is asked about every command, a rule that names one answers for it: %s',
  (_how, toArgv) => {
    const allow = ['git status', 'npm run test:*'];
    const judge = (rules: CommandRules, line: string) => judgeCommand(rules, toArgv(line)).verdict;
    const lines = ['git status', 'git status --short', 'npm run test:unit', 'git push', 'ls'];

    expect(lines.map((line) => judge({ ...ASK_ALL, allow }, line))).toEqual([
      ...['allow', 'allow', 'allow', 'ask', 'ask'],
    ]);
    expect(findAnswers(ASK_ALL, toArgv('git status'))).toEqual(['git status']);
    expect(judge({ ...ASK_ALL, allow: ['*'] }, 'ls')).toBe('ask');
    expect(judge({ ...ASK_ALL, allow, ask: ['*', 'git'], deny: [] }, 'npm run test:x')).toBe(
      'allow',
    );
    expect(judge({ ...ASK_ALL, allow, deny: ['git'] }, 'git status')).toBe('deny');
  },
);

test('a question about a shell by its name is not answered by a rule for what the shell runs', () => {
  const rules = { ...ASK_ALL, allow: ['ls'], ask: ['*', 'bash'] };

  expect(judgeLine(rules, 'bash -c ls')).toMatchObject({ verdict: 'ask', part: 'bash -c ls' });
  expect(judgeLine({ ...ASK_ALL, allow: ['ls'] }, 'ls > /elsewhere').verdict).toBe('ask');
});

test.each(['git zz', 'eval ls', 'X=$(ls); $X', 'PATH=. ls', 'PATH=.', 'echo "'])(
  'asks about what rules cannot see through in %j, unless some command may never run',
  (line) => {
    expect(judgeLine(ASK_ALL, line).verdict).toBe('ask');
    expect(judgeLine({ ...ASK_ALL, deny: ['rm'] }, line).verdict).toBe('deny');
    expect(judgeLine({ ...ASK_ALL, ask: ['git', 'ls'] }, line).verdict).toBe('deny');
    expect(findAnswers(ASK_ALL, ['bash', '-lc', line])).toBeUndefined();
  },
);

import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { CommandRules } from './command-rules/judge-command.ts';
import { judgeWords, type PolicyRule } from './policy-rule.ts';
import { describeStandingRule, findStandingRule, type StandingRule } from './standing-rule.ts';

const ASK_ALL: readonly PolicyRule[] = [{ tool: '*', decision: 'ask' }];
const COMMANDS: CommandRules = {
  allow: ['ls'],
  ask: ['git push', 'git push --force'],
  deny: ['rm'],
  otherwise: 'deny',
};

function find(tool: string, input: JsonObject, rules: readonly PolicyRule[] = ASK_ALL) {
  const toArgv = ({ command }: JsonObject) => ['bash', '-lc', String(command)];
  return findStandingRule({ tool, input }, { rules, commands: COMMANDS, toArgv });
}

function ruleOf(standing: StandingRule | undefined): PolicyRule {
  if (standing?.kind !== 'rule') throw new Error('no rule');
  return standing.rule;
}

function decide(rules: readonly PolicyRule[], tool: string, input: JsonObject) {
  return judgeWords(rules, { tool: { name: tool }, input }).decision;
}

test('always is about one file as it lies in the workspace, and no other', () => {
  const rule = ruleOf(find('fs.write', { path: './notes//todo.md', content: 'x' }));
  const rules = [...ASK_ALL, rule];

  expect(rule).toEqual({
    tool: 'fs.write',
    decision: 'allow',
    where: { field: 'path', equals: 'notes/todo.md' },
  });
  expect(decide(rules, 'fs.write', { path: 'notes/todo.md', content: 'y' })).toBe('allow');
  for (const path of ['notes/todo.md.bak', 'notes', 'notes/todo.md/x', 'x/notes/todo.md']) {
    expect([path, decide(rules, 'fs.write', { path })]).toEqual([path, 'ask']);
  }
  expect(decide(rules, 'fs.delete', { path: 'notes/todo.md' })).toBe('ask');
});

test('always is about one origin, and no other that begins like it', () => {
  const rule = ruleOf(find('http.request', { url: 'https://api.example.com:8443/v1/x?y' }));
  const rules = [...ASK_ALL, rule];

  expect(rule.where).toEqual({ field: 'url', prefix: 'https://api.example.com:8443/' });
  expect(decide(rules, 'http.request', { url: 'https://api.example.com:8443/z' })).toBe('allow');
  for (const url of [
    'https://api.example.com:84430/',
    'https://api.example.com.evil.test/',
    'http://api.example.com:8443/',
  ]) {
    expect([url, decide(rules, 'http.request', { url })]).toEqual([url, 'ask']);
  }
});

test('always is about the words of a command, and one rule that asks for more still asks', () => {
  const standing = find('shell.exec', { command: 'ls && git push origin main' }, []);
  expect(standing).toEqual({ kind: 'commands', commands: ['git push origin main'] });
  expect(standing && describeStandingRule(standing)).toBe(
    'shell.exec with command git push origin main…',
  );

  const asked = find('shell.exec', { command: 'git push origin main --force' }, []);
  expect(asked).toEqual({ kind: 'commands', commands: ['git push origin main --force'] });
  expect(find('shell.exec', { command: 'git push "$branch"' }, [])).toBeUndefined();
  expect(find('shell.exec', { command: 'git push "a b"' }, [])).toBeUndefined();
  expect(find('shell.exec', { command: 'git push' }, [])).toBeUndefined();
});

test.each([
  ['a file outside', 'fs.write', { path: '../x' }],
  ['an absolute path', 'fs.write', { path: '/etc/passwd' }],
  ['the workspace itself', 'fs.delete', { path: '.' }],
  ['what may be a directory', 'fs.delete', { path: 'a', recursive: true }],
  ['two paths', 'fs.move', { src: 'a', dst: 'b' }],
  ['a tool whose arguments nobody knows', 'mcp__x__y', { path: 'a' }],
  ['no address', 'http.request', { url: 'nonsense' }],
])('no rule is offered for %s', (_what, tool, input) => {
  expect(find(tool, input)).toBeUndefined();
});

test('no rule is offered where none would help: another judge asks, or a rule denies', () => {
  const input = { path: 'a.txt' };

  expect(find('fs.write', input, [])).toBeUndefined();
  expect(find('fs.write', input, [...ASK_ALL, { tool: 'fs.*', decision: 'deny' }])).toBeUndefined();
});

test('a narrower allow answers an ask, a wider one does not, and nothing answers a deny', () => {
  const allow = (where: PolicyRule['where'], tool = 'fs.write'): PolicyRule => ({
    ...{ tool, decision: 'allow', where },
  });
  const ask: PolicyRule = {
    ...{ tool: 'fs.write', decision: 'ask', where: { field: 'path', prefix: 'src/' } },
  };
  const input = { path: 'src/gen/a.ts' };

  expect(decide([ask, allow({ field: 'path', prefix: 'src/gen/' })], 'fs.write', input)).toBe(
    'allow',
  );
  expect(decide([ask, allow({ field: 'path', prefix: 'sr' })], 'fs.write', input)).toBe('ask');
  expect(decide([ask, allow({ field: 'path', prefix: 'src/' })], 'fs.write', input)).toBe('ask');
  expect(
    decide([ask, allow({ field: 'path', prefix: 'src/gen/' }, 'fs.*')], 'fs.write', input),
  ).toBe('ask');
  const deny: PolicyRule = { tool: 'fs.write', decision: 'deny' };
  expect(decide([deny, allow({ field: 'path', equals: 'src/gen/a.ts' })], 'fs.write', input)).toBe(
    'deny',
  );
});

import { expect, test } from 'vitest';
import { isToldOf, isWithinSkills } from './agent-skills.ts';

test.each([
  [[], 'shell.exec', true],
  [['browser'], 'http.request', true],
  [['browser'], 'shell.exec', false],
  [['browser'], 'fs.write', false],
  [['browser'], 'time.now', true],
  [['browser'], 'memory.write', true],
  [['terminal'], 'shell.exec', true],
  [['python'], 'fs.write', true],
  [['python'], 'http.request', false],
  [['files'], 'fs.write', true],
  [['files'], 'shell.exec', false],
  [['email', 'schedule'], 'scheduler.add', true],
  [['research'], 'http.request', false],
  [['http.request'], 'http.request', true],
  [['mcp'], 'mcp__github__search', true],
  [['browser'], 'mcp__github__search', false],
  [['constructor'], 'shell.exec', false],
])('with the skills %j, %s is within them: %s', (skills, tool, isWithin) => {
  expect(isWithinSkills(skills, tool)).toBe(isWithin);
});

test('an agent with skills is told only of published ones that it names', () => {
  expect(isToldOf([], 'pdf-forms')).toBe(true);
  expect(isToldOf(['pdf-forms'], 'PDF-forms')).toBe(true);
  expect(isToldOf(['browser'], 'pdf-forms')).toBe(false);
});

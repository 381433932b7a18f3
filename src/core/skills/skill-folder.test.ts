import { expect, test } from 'vitest';
import { listBundleFiles } from './bundle-files.ts';
import { compileBundle } from './skill-bundle.ts';
import { toSkillSpec } from './skill-folder.ts';
import type { CompleteSkill } from './skill-spec.ts';

const SKILL: CompleteSkill = {
  skill_id: 'release.notes',
  version: 2,
  name: 'release-notes',
  description: 'Says "what: changed"',
  instructions_markdown: '# Notes\n\n---\n\nWrite.',
  license: 'MIT',
  compatibility: { runtime: 'openagents-runtime', min: 2 },
  metadata: { 'a b': 'c: d', on: true },
  allowed_tools: [
    { tool_id: 'github.primary', version: 1 },
    { tool_id: 'resend.primary', version: 12 },
  ],
  scripts: [{ path: 'bin/run.sh', content: 'echo hi\n' }],
  assets: [{ path: 'dot.png', content: 'AP8B', encoding: 'base64' }],
};

test('reads back what it wrote', () => {
  const files = listBundleFiles(compileBundle(SKILL, []));

  const spec = toSkillSpec(
    { files, leftOut: [], exported: undefined },
    { version: 2, skillId: 'release.notes' },
  );

  expect(spec).toEqual(SKILL);
});

test('keeps what other programs say in the same format', () => {
  const content = [
    '---',
    'name: tidy',
    'description: Tidies up',
    'compatibility: Needs git',
    'allowed-tools: Read, Bash(git:*) github.primary@v1',
    '---',
    'Do it.',
  ].join('\n');

  const spec = toSkillSpec(
    { files: [{ path: 'SKILL.md', content }], leftOut: [], exported: undefined },
    { version: 1 },
  );

  expect(spec).toEqual({
    skill_id: 'tidy',
    version: 1,
    name: 'tidy',
    description: 'Tidies up',
    instructions_markdown: 'Do it.',
    compatibility: { requirements: 'Needs git' },
    metadata: { 'allowed-tools': 'Read Bash(git:*)' },
    allowed_tools: [{ tool_id: 'github.primary', version: 1 }],
  });
});

test.each([
  ['SKILL.md is missing', []],
  ['has front matter that is not closed by ---', [{ path: 'SKILL.md', content: '---\nname: a\n' }]],
])('refuses a folder where %s', (message, files) => {
  const convert = () => toSkillSpec({ files, leftOut: [], exported: undefined }, { version: 1 });

  expect(convert).toThrow(
    expect.objectContaining({
      code: 'unprocessable',
      details: {
        problems: [
          expect.objectContaining({ path: 'SKILL.md', message: message.replace('SKILL.md ', '') }),
        ],
      },
    }),
  );
});

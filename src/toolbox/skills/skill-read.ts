import * as z from 'zod';
import type { SkillShelf } from '../../core/skills/skill-shelf.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';

const input = z.strictObject({
  name: z.string().min(1).max(160).describe('The skill as your instructions name it.'),
  path: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('A file of the skill, such as references/api.md. Left out: its instructions.'),
});

interface SkillText {
  readonly name: string;
  readonly version: number;
  readonly path: string;
  readonly content: string;
  /** Only for a file that is no text. */
  readonly encoding?: 'base64';
  /** What else of the skill can be read. */
  readonly files: readonly string[];
}

/** Lets a model read a skill when it needs it: until then a prompt holds a line of it. */
export function createSkillRead(shelf: Pick<SkillShelf, 'read'>): Tool {
  return defineTool<z.infer<typeof input>, SkillText>({
    name: 'skill.read',
    description:
      'Read a skill: instructions for a kind of task, published by the operator. Follow them when the task is of that kind. Name one of its files to read that instead.',
    effect: 'read',
    source: 'src/toolbox/skills/skill-read.ts',
    input,
    summarize: ({ name }, { version, path }) => `read ${path} of skill ${name} version ${version}`,

    async execute({ name, path }) {
      const piece = await shelf.read({ name, path });
      const { content, encoding } = piece.file;
      return {
        name: piece.name,
        version: piece.version,
        path: piece.file.path,
        content,
        ...(encoding === 'base64' ? { encoding } : {}),
        files: piece.paths,
      };
    },
  });
}

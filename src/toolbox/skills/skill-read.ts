import * as z from 'zod';
import type { SkillShelf } from '../../core/skills/skill-shelf.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';

/** A piece of this size fits into the output of a call in any script; a file may be sixteen times as long. */
const MAX_PIECE_CHARS = 16 * 1024;

const input = z.strictObject({
  name: z.string().min(1).max(160).describe('The skill as your instructions name it.'),
  path: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('A file of the skill, such as references/api.md. Left out: its instructions.'),
  offset: z
    .int()
    .min(0)
    .optional()
    .describe('The character to start at; pass next_offset of the previous answer to go on.'),
});

interface SkillText {
  readonly name: string;
  readonly version: number;
  readonly path: string;
  readonly content: string;
  /** Only for a file that is no text. */
  readonly encoding?: 'base64';
  readonly truncated: boolean;
  /** Only when truncated. */
  readonly next_offset?: number;
  /** What else of the skill can be read. */
  readonly files: readonly string[];
}

/** Lets a model read a skill when it needs it: until then a prompt holds a line of it. */
export function createSkillRead(shelf: Pick<SkillShelf, 'read'>): Tool {
  return defineTool<z.infer<typeof input>, SkillText>({
    name: 'skill.read',
    description:
      'Read a skill: instructions for a kind of task, published by the operator. Follow them when the task is of that kind. Name one of its files to read that instead. When truncated is true there is more, and reading again with offset set to next_offset continues.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/skills/skill-read.ts',
    input,
    summarize: ({ name }, { version, path }) => `read ${path} of skill ${name} version ${version}`,

    async execute({ name, path, offset = 0 }, { principal }) {
      const piece = await shelf.read({ principal, name, path });
      const { content, encoding } = piece.file;
      const end = findEnd(content, offset);
      return {
        name: piece.name,
        version: piece.version,
        path: piece.file.path,
        content: content.slice(offset, end),
        ...(encoding === 'base64' ? { encoding } : {}),
        truncated: end < content.length,
        ...(end < content.length ? { next_offset: end } : {}),
        files: piece.paths,
      };
    },
  });
}

/** Not between the two halves of one character. */
function findEnd(text: string, offset: number): number {
  const end = Math.min(text.length, offset + MAX_PIECE_CHARS);
  return end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

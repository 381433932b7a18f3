import * as z from 'zod';
import type { JsonObject } from '../json.ts';
import { checkDocument } from './check-document.ts';
import { commercial } from './commercial.ts';
import { type SkillFile, skillFiles } from './skill-files.ts';
import { anyObject, specId, specName, specVersion } from './spec-fields.ts';
import { specProblem, toSpecProblems } from './spec-problem.ts';
import type { SpecState } from './spec-state.ts';
import type { ParsedSpec } from './tool-spec.ts';

/** Instructions with the tools they need, as their author wrote them down; members that nobody knows are kept. */
export interface SkillSpec extends JsonObject {
  readonly skill_id: string;
  readonly version: number;
}

/** A spec that can be compiled: nothing is missing. */
export interface CompleteSkill {
  readonly skill_id: string;
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly instructions_markdown: string;
  readonly license?: string | undefined;
  readonly compatibility?: JsonObject | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly allowed_tools?: readonly ToolReference[] | undefined;
  readonly scripts?: readonly SkillFile[] | undefined;
  readonly references?: readonly SkillFile[] | undefined;
  readonly assets?: readonly SkillFile[] | undefined;
}

export interface ToolReference {
  readonly tool_id: string;
  readonly version: number;
}

/** One body of a request holds it with room to spare. */
export const MAX_SKILL_BYTES = 768 * 1024;
/** As the Agent Skills format has it. */
export const MAX_DESCRIPTION_CHARS = 1_024;
const MAX_INSTRUCTIONS_CHARS = 64 * 1024;
const MAX_LICENSE_CHARS = 500;
const MAX_ALLOWED_TOOLS = 100;

const allowedTools = z
  .array(z.looseObject({ tool_id: specId, version: specVersion }))
  .max(MAX_ALLOWED_TOOLS)
  .refine(
    (tools) =>
      new Set(tools.map((tool) => `${tool.tool_id}@${tool.version}`)).size === tools.length,
    { error: 'must not name a tool twice' },
  );

const complete = z.looseObject({
  skill_id: specId,
  version: specVersion,
  name: specName,
  description: z.string().trim().min(1).max(MAX_DESCRIPTION_CHARS),
  instructions_markdown: z.string().trim().min(1).max(MAX_INSTRUCTIONS_CHARS),
  license: z.string().max(MAX_LICENSE_CHARS).optional(),
  compatibility: anyObject.optional(),
  metadata: anyObject.optional(),
  allowed_tools: allowedTools.optional(),
  scripts: skillFiles.optional(),
  references: skillFiles.optional(),
  assets: skillFiles.optional(),
  commercial: commercial.optional(),
});

/** Something to work on: what is there must be right, the rest may come later. */
const begun = complete.partial().required({ skill_id: true, version: true });

export function parseSkillSpec(document: JsonObject, state: SpecState): ParsedSpec<SkillSpec> {
  const unfit = checkDocument(document, MAX_SKILL_BYTES);
  if (unfit.length > 0) return { outcome: 'invalid', problems: unfit };
  const parsed = (state === 'draft' ? begun : complete).safeParse(document);
  return parsed.success
    ? { outcome: 'valid', spec: document as SkillSpec }
    : { outcome: 'invalid', problems: toSpecProblems(parsed.error.issues, document) };
}

/** The spec with everything that compiling needs. */
export function parseCompleteSkill(document: JsonObject): ParsedSpec<CompleteSkill> {
  const parsed = complete.safeParse(document);
  if (parsed.success) return { outcome: 'valid', spec: parsed.data as CompleteSkill };
  const problems = toSpecProblems(parsed.error.issues, document);
  return {
    outcome: 'invalid',
    problems: problems.length > 0 ? problems : [specProblem('', 'is not complete')],
  };
}

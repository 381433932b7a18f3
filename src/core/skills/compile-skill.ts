import { isJsonObject } from '../json.ts';
import { isUsable } from './find-manifest.ts';
import { compileBundle, type SkillBundle, type ToolManifestRef } from './skill-bundle.ts';
import { parseCompleteSkill, type ToolReference } from './skill-spec.ts';
import { invalidSpec, type SpecProblem } from './spec-problem.ts';
import type { ListedSpec, SpecRegistry } from './spec-registry.ts';

/** The bundle of a skill. Throws `unprocessable` when something is missing, or a tool that it names can't be used. */
export async function compileSkill(
  registry: Pick<SpecRegistry, 'find'>,
  spec: Pick<ListedSpec, 'document'>,
): Promise<SkillBundle> {
  const parsed = parseCompleteSkill(spec.document);
  if (parsed.outcome === 'invalid') throw invalidSpec(parsed.problems);
  const skill = parsed.spec;
  const refs: ToolManifestRef[] = [];
  const problems: SpecProblem[] = [];
  for (const [at, tool] of (skill.allowed_tools ?? []).entries()) {
    const ref = await findRef(registry, tool);
    if (ref) refs.push(ref);
    else problems.push(toolNotFound(tool, `allowed_tools.${at}`));
  }
  if (problems.length > 0) throw invalidSpec(problems);
  return compileBundle(skill, refs);
}

async function findRef(
  registry: Pick<SpecRegistry, 'find'>,
  tool: ToolReference,
): Promise<ToolManifestRef | undefined> {
  const { tool_id: id, version } = tool;
  const spec = await registry.find({ kind: 'tool', id, version });
  if (!spec || !isUsable(spec)) return undefined;
  const { integration_manifest: manifest, tool_pack: pack } = spec.document;
  const integrationId = isJsonObject(manifest) ? manifest['integration_id'] : undefined;
  return {
    tool_id: id,
    version,
    integration_id: typeof integrationId === 'string' ? integrationId : id,
    tool_pack: typeof pack === 'string' ? pack : '',
  };
}

function toolNotFound({ tool_id: id, version }: ToolReference, path: string): SpecProblem {
  return {
    reason_code: 'skill_registry.tool_not_found',
    path,
    message: `tool ${id} version ${version} is not there as validated or published`,
  };
}

import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../json.ts';
import { renderYaml } from './render-yaml.ts';
import { SKILL_FILE } from './skill-file-name.ts';
import { SKILL_DIRECTORIES, type SkillFile } from './skill-files.ts';
import type { CompleteSkill, ToolReference } from './skill-spec.ts';

/** A skill in the Agent Skills format, as one document. Paths begin with its root. */
export interface SkillBundle {
  readonly bundle_format: 'agent_skills.v1';
  readonly root: string;
  readonly files: Readonly<Record<string, string>>;
  /** Those that hold something. */
  readonly directories: Readonly<Record<string, readonly SkillFile[]>>;
  readonly tool_manifest_refs: readonly ToolManifestRef[];
}

export interface ToolManifestRef extends ToolReference {
  readonly integration_id: string;
  readonly tool_pack: string;
}

export const BUNDLE_FORMAT = 'agent_skills.v1';
/** Of a name in the Agent Skills format, which is also its folder's. */
const MAX_ROOT_CHARS = 64;

/** The same spec gives the same bundle, wherever and whenever it is compiled. */
export function compileBundle(
  skill: CompleteSkill,
  toolRefs: readonly ToolManifestRef[],
): SkillBundle {
  const root = toRoot(skill);
  const filled = SKILL_DIRECTORIES.flatMap((directory) => {
    const files = skill[directory] ?? [];
    return files.length === 0 ? [] : [[`${root}/${directory}`, files.map(toFile)] as const];
  });
  return {
    bundle_format: BUNDLE_FORMAT,
    root,
    files: { [`${root}/${SKILL_FILE}`]: renderSkillFile(skill, root) },
    directories: Object.fromEntries(filled),
    tool_manifest_refs: [...toolRefs],
  };
}

export function hashBundle(bundle: SkillBundle): string {
  return createHash('sha256').update(canonicalJson(bundle)).digest('hex');
}

/** Lower case, everything but letters and digits a dash. A name without any of them falls back on the skill's id. */
function toRoot({ name, skill_id: id }: Pick<CompleteSkill, 'name' | 'skill_id'>): string {
  return toSlug(name) || toSlug(id) || 'skill';
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_ROOT_CHARS + 1)
    .replace(/^-/, '')
    .slice(0, MAX_ROOT_CHARS)
    .replace(/-$/, '');
}

function renderSkillFile(skill: CompleteSkill, root: string): string {
  const fields: JsonObject = {
    'allowed-tools': (skill.allowed_tools ?? []).map((tool) => `${tool.tool_id}@v${tool.version}`),
    ...(skill.compatibility && { compatibility: skill.compatibility }),
    description: skill.description,
    ...(skill.license ? { license: skill.license } : {}),
    ...(skill.metadata && { metadata: skill.metadata }),
    name: root,
  };
  return `---\n${renderYaml(fields)}---\n\n${skill.instructions_markdown.trim()}\n`;
}

function toFile({ path, content, encoding }: SkillFile): SkillFile {
  return { path, content, ...(encoding === 'base64' ? { encoding } : {}) };
}

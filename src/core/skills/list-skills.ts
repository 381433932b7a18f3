import { compareTexts } from '../compare-texts.ts';
import { RuntimeError } from '../errors.ts';
import { OPERATOR } from '../principal.ts';
import { chooseCurrent } from './choose-current.ts';
import type { ExaminedRelease } from './releases.ts';
import type { ReleaseHead } from './skill-store.ts';
import type { Skills } from './skills.ts';
import type { ListedSpec } from './spec-registry.ts';
import type { SpecState } from './spec-state.ts';

/** A version of a skill: its spec, its release, or both. */
export interface CataloguedSkill {
  readonly skillId: string;
  readonly version: number;
  /** Undefined for a release whose spec is not here. */
  readonly state: SpecState | undefined;
  readonly owner: string;
  readonly isBuiltIn: boolean;
  readonly release: CataloguedRelease | undefined;
  /** Whether agents are told of it. */
  readonly isCurrent: boolean;
}

export interface CataloguedRelease {
  readonly releaseId: string;
  readonly publishedAtMs: number;
  readonly examined: ExaminedRelease;
}

export type SkillParts = Pick<Skills, 'registry' | 'releases'>;

export interface SkillRef {
  readonly skillId: string;
  readonly version: number;
}

/** Everything there is, by skill and version. Every release is held against its signature. */
export async function listSkills({ registry, releases }: SkillParts): Promise<CataloguedSkill[]> {
  const [specs, heads] = [await registry.list('skill'), await releases.list()];
  const skills = await catalogue(releases, { specs, heads, current: chooseCurrent(heads) });
  return skills.sort((a, b) => compareTexts(a.skillId, b.skillId) || a.version - b.version);
}

/** Throws `not_found`. */
export async function getSkill(
  { registry, releases }: SkillParts,
  ref: SkillRef,
): Promise<FoundSkill> {
  const spec = await registry.find({ kind: 'skill', id: ref.skillId, version: ref.version });
  const all = await releases.list();
  const heads = all.filter((head) => head.skillId === ref.skillId && head.version === ref.version);
  const specs = spec === undefined ? [] : [spec];
  const [skill] = await catalogue(releases, { specs, heads, current: chooseCurrent(all) });
  if (!skill) throw skillNotFound(ref);
  return { skill, spec };
}

export interface FoundSkill {
  readonly skill: CataloguedSkill;
  readonly spec: ListedSpec | undefined;
}

interface Known {
  readonly specs: readonly ListedSpec[];
  readonly heads: readonly ReleaseHead[];
  readonly current: readonly ReleaseHead[];
}

async function catalogue(
  releases: SkillParts['releases'],
  { specs, heads, current }: Known,
): Promise<CataloguedSkill[]> {
  const found = new Map(specs.map((spec) => [toKey(spec), toSkill(spec)]));
  const told = new Set(current.map(({ releaseId }) => releaseId));
  for (const head of heads) {
    const examined = await releases.examine(head.skillId, head.version);
    if (!examined) continue;
    const key = toKey({ id: head.skillId, version: head.version });
    const { releaseId, publishedAtMs } = head;
    found.set(key, {
      ...(found.get(key) ?? toInstalled(head)),
      release: { releaseId, publishedAtMs, examined },
      isCurrent: examined.verdict === 'valid' && told.has(releaseId),
    });
  }
  return [...found.values()];
}

/**
 * Agents are no longer told of it; who names it still gets it. It can't be taken back. Throws `not_found` where there is
 * no spec that could say so.
 */
export async function deprecateSkill(
  { registry }: Pick<SkillParts, 'registry'>,
  { skillId, version }: SkillRef,
): Promise<void> {
  const spec = await registry.find({ kind: 'skill', id: skillId, version });
  if (!spec) throw skillNotFound({ skillId, version });
  await registry.put('skill', { document: spec.document, state: 'deprecated', by: OPERATOR });
}

function skillNotFound({ skillId, version }: SkillRef): RuntimeError {
  return new RuntimeError('not_found', `skill spec ${skillId} version ${version} does not exist`, {
    details: { thing: 'skill' },
  });
}

function toKey({ id, version }: Pick<ListedSpec, 'id' | 'version'>): string {
  return `${id}@${version}`;
}

function toSkill({ id, version, state, stored }: ListedSpec): CataloguedSkill {
  return {
    skillId: id,
    version,
    state,
    owner: stored?.owner ?? OPERATOR,
    isBuiltIn: stored === undefined,
    release: undefined,
    isCurrent: false,
  };
}

function toInstalled({ skillId, version, owner }: ReleaseHead): CataloguedSkill {
  const none = { state: undefined, release: undefined, isBuiltIn: false, isCurrent: false };
  return { skillId, version, owner, ...none };
}

import { OPERATOR } from '../principal.ts';
import { chooseCurrent } from '../skills/choose-current.ts';
import type { Releases } from '../skills/releases.ts';
import type { SkillRelease } from '../skills/skill-release.ts';

/** Of the skills that are published for everybody, those that an agent names: by their name, or by their id. */
export async function findNamedReleases(
  releases: Pick<Releases, 'list' | 'examine'>,
  words: readonly string[],
): Promise<readonly SkillRelease[]> {
  if (words.length === 0) return [];
  const wanted = new Set(words);
  const found: SkillRelease[] = [];
  for (const { skillId, version, owner } of chooseCurrent(await releases.list())) {
    if (owner !== OPERATOR) continue;
    const examined = await releases.examine(skillId, version);
    if (examined?.verdict !== 'valid') continue;
    const names = namesOf(examined.release);
    if (names.some((name) => wanted.has(name))) found.push(examined.release);
  }
  return found;
}

/** As agents name it. */
export function namesOf({ skill_id: id, bundle }: SkillRelease): readonly string[] {
  return [bundle.root, id.toLowerCase()];
}

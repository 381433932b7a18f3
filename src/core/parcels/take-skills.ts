import type { JsonObject } from '../json.ts';
import { parseRelease } from '../skills/parse-release.ts';
import { judgeRelease, type SkillKeys, signRelease } from '../skills/release-signature.ts';
import { type Releases, toStoredRelease } from '../skills/releases.ts';
import type { SkillRelease } from '../skills/skill-release.ts';
import { restoreRelease } from '../skills/stored-skills.ts';
import type { Counter } from './count-rows.ts';
import type { Need } from './import-report.ts';
import type { StagedImport } from './import-store.ts';
import { namesOf } from './named-releases.ts';
import { unfit } from './parcel-faults.ts';
import type { ParcelEntry } from './parcel-format.ts';
import { parseLines } from './parcel-lines.ts';
import { parcelSkill } from './parcel-shapes.ts';

export interface TakeSkillsDeps {
  readonly keys: SkillKeys;
  readonly releases: Pick<Releases, 'find' | 'list'>;
  /** Public keys that the operator named. */
  readonly trusted: readonly string[];
  readonly isPreview: boolean;
  /** The words of the agent. */
  readonly skills: readonly string[];
  readonly counter: Counter;
  readonly add: StagedImport['add'];
  readonly note: (need: Need) => void;
}

export interface TakenSkills {
  take(entry: ParcelEntry): Promise<void>;
  /** What the skills that came along are called. */
  readonly names: ReadonlySet<string>;
}

/** Releases that the agent names. Each is judged by its own signature: that of the parcel does not vouch for it. */
export function createTakeSkills(deps: TakeSkillsDeps): TakenSkills {
  const names = new Set<string>();

  async function takeOne(release: SkillRelease): Promise<void> {
    const { skill_id: id, version } = release;
    if (!namesOf(release).some((name) => deps.skills.includes(name))) {
      throw unfit(`it brings skill ${id}, which its agent does not name`);
    }
    for (const name of namesOf(release)) names.add(name);
    const verdict = await judgeRelease(release, deps.keys);
    if (verdict.verdict === 'altered') {
      throw unfit(`skill ${id} version ${version} was altered: ${verdict.reason}`);
    }
    const there = await deps.releases.find(id, version);
    if (there) {
      if (there.releaseId !== release.release_id) deps.note(otherThere(release));
      return;
    }
    // The newest version is everybody's: an import must not change what other agents read.
    const here = await deps.releases.list();
    if (here.some(({ skillId }) => skillId === id)) return deps.note(otherThere(release));
    const isGiven = deps.trusted.includes(release.signature.public_key);
    if (verdict.verdict === 'untrusted' && !isGiven) return deps.note(untrusted(release));
    deps.counter.count('skills');
    if (deps.isPreview) return;
    const stored = verdict.verdict === 'valid' ? release : await signHere(release);
    const given = { release: toStoredRelease(stored), source: undefined };
    await deps.add({ step: 'write', name: restoreRelease.name, given });
  }

  /** A key that counts once would not count when the skill is used. */
  async function signHere({ signature: _, ...content }: SkillRelease): Promise<SkillRelease> {
    return signRelease(content, await deps.keys.getOwn());
  }

  return {
    names,
    async take(entry) {
      for (const { release: document } of parseLines(entry, parcelSkill)) {
        const parsed = parseRelease(document as JsonObject);
        if (parsed.outcome === 'invalid')
          throw unfit(`${entry.name} holds what is no skill release`);
        await takeOne(parsed.spec);
      }
    },
  };
}

function untrusted({ skill_id: id, version, signature }: SkillRelease): Need {
  const { key_id: keyId, public_key: key } = signature;
  return {
    kind: 'skill',
    what: id,
    isBlocking: true,
    message: `skill ${id} version ${version} is signed with key ${keyId}, which is not trusted here; --trust ${key} takes it this once`,
  };
}

function otherThere({ skill_id: id, version }: SkillRelease): Need {
  return {
    kind: 'skill',
    what: id,
    isBlocking: false,
    message: `skill ${id} is here with other content than version ${version}, which the agent will use`,
  };
}

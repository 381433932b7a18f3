import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import { type JsonObject, toJsonValue } from '../json.ts';
import { mayChange, OPERATOR } from '../principal.ts';
import { compileSkill } from './compile-skill.ts';
import { parseRelease } from './parse-release.ts';
import { judgeRelease, type SkillKeys, signRelease, type Verdict } from './release-signature.ts';
import { createReleaseContent, type SkillRelease } from './skill-release.ts';
import type {
  PublishResult,
  PutSpec,
  ReleaseHead,
  SkillStore,
  StoredRelease,
} from './skill-store.ts';
import { invalidSpec, specProblem } from './spec-problem.ts';
import { foreignSpec, type ListedSpec, type SpecRegistry } from './spec-registry.ts';
import { isImmutable } from './spec-state.ts';

/** Published skills. Whatever leaves here has been checked against its signature. */
export interface Releases {
  /**
   * The first release of this spec, however often it is asked for. Throws `forbidden` for a spec that is somebody else's;
   * one that is built in is the operator's, since its release is for everybody.
   */
  publish(request: PublishRequest): Promise<SkillRelease>;
  /** Throws `not_found`, and `conflict` for one that must not be used. */
  get(skillId: string, version: number): Promise<SkillRelease>;
  /** As it is stored; nobody has looked at its signature. */
  find(skillId: string, version: number): Promise<StoredRelease | undefined>;
  /** Without a look at their content. */
  list(): Promise<readonly ReleaseHead[]>;
  /** What is to be said of a stored release; undefined when there is none. */
  examine(skillId: string, version: number): Promise<ExaminedRelease | undefined>;
  /** Stores a release that was checked by its caller, unless there is one. */
  store(release: SkillRelease, source: PutSpec | undefined): Promise<SkillRelease>;
}

interface PublishRequest {
  readonly skillId: string;
  readonly version: number;
  /** `user:42`. */
  readonly by: string;
  /** Of the spec that is meant. Throws `conflict` when another one stands in its place by now. */
  readonly contentHash?: string | undefined;
}

export type ExaminedRelease =
  | { readonly verdict: 'altered'; readonly reason: string }
  | (Exclude<Verdict, { verdict: 'altered' }> & { readonly release: SkillRelease });

export interface ReleasesDeps {
  readonly store: SkillStore;
  readonly registry: SpecRegistry;
  readonly keys: SkillKeys;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Somebody changed the spec while it was compiled: it is compiled again, but not for ever. */
const MAX_COMPILATIONS = 3;

export function createReleases(deps: ReleasesDeps): Releases {
  const { store, registry, keys } = deps;

  async function examine(stored: StoredRelease): Promise<ExaminedRelease> {
    const parsed = parseRelease(stored.document);
    if (parsed.outcome === 'invalid') return { verdict: 'altered', reason: 'it is not a release' };
    const release = parsed.spec;
    if (release.skill_id !== stored.skillId || release.version !== stored.version) {
      return { verdict: 'altered', reason: 'it is the release of another skill' };
    }
    if (release.release_id !== stored.releaseId) {
      return { verdict: 'altered', reason: 'it is another release' };
    }
    const verdict = await judgeRelease(release, keys);
    return verdict.verdict === 'altered' ? verdict : { ...verdict, release };
  }

  async function load(stored: StoredRelease): Promise<SkillRelease> {
    const examined = await examine(stored);
    if (examined.verdict === 'valid') return examined.release;
    throw unusable(stored, examined);
  }

  async function compile(spec: ListedSpec, by: string): Promise<SkillRelease> {
    const bundle = await compileSkill(registry, spec);
    const nowMs = deps.clock.nowMs();
    const { id: skillId, version } = spec;
    const content = createReleaseContent({ skillId, version, bundle, publishedBy: by, nowMs });
    const release = signRelease(content, await keys.getOwn());
    assertReadable(release);
    return release;
  }

  return {
    async publish({ skillId, version, by, contentHash }) {
      for (let attempt = 1; attempt <= MAX_COMPILATIONS; attempt += 1) {
        const known = await store.findRelease(skillId, version);
        const spec = await registry.find({ kind: 'skill', id: skillId, version });
        if (!spec && !known) throw notFound('skill spec', 'skill_spec', { skillId, version });
        assertAuthor(spec, { skillId, by });
        if (contentHash !== undefined && spec?.stored?.contentHash !== contentHash) {
          throw otherContent(skillId, version);
        }
        if (known && spec?.stored && !isImmutable(spec.state)) {
          // Its own spec was published with it: this one came later.
          throw otherContent(skillId, version);
        }
        if (known) return load(known);
        if (!spec) throw notFound('skill spec', 'skill_spec', { skillId, version });
        assertPublishable(spec);
        const release = toStoredRelease(await compile(spec, by));
        const result = await store.publish({ release, source: spec.stored });
        if (result.outcome !== 'changed') return load(toRelease(result, skillId, version));
      }
      throw new RuntimeError(
        'conflict',
        `skill spec ${skillId} version ${version} changes while it is published; try again`,
      );
    },

    async get(skillId, version) {
      const stored = await store.findRelease(skillId, version);
      if (stored) return load(stored);
      throw notFound('skill release', 'skill_release', { skillId, version });
    },

    find: (skillId, version) => store.findRelease(skillId, version),
    list: () => store.listReleases(),

    async examine(skillId, version) {
      const stored = await store.findRelease(skillId, version);
      return stored && examine(stored);
    },

    async store(release, source) {
      const { skill_id: skillId, version } = release;
      const result = await store.publish({ release: toStoredRelease(release), source });
      const stored = await load(toRelease(result, skillId, version));
      if (stored.release_id === release.release_id) return stored;
      throw otherContent(skillId, version);
    },
  };
}

/** What could not be loaded again would stand in the way of its version for ever. */
function assertReadable(release: SkillRelease): void {
  const parsed = parseRelease(toJsonValue(release) as JsonObject);
  if (parsed.outcome === 'valid') return;
  throw invalidSpec(
    parsed.problems.map(({ path, message }) => specProblem(path, `its release ${message}`)),
  );
}

function otherContent(skillId: string, version: number): RuntimeError {
  const message = `skill ${skillId} version ${version} is there already, with other content`;
  return new RuntimeError('conflict', message, { details: { hint: 'publish a new version' } });
}

export function toStoredRelease(release: SkillRelease): StoredRelease {
  return {
    skillId: release.skill_id,
    version: release.version,
    releaseId: release.release_id,
    publishedAtMs: Date.parse(release.published_at),
    document: toJsonValue(release) as JsonObject,
  };
}

function toRelease(result: PublishResult, skillId: string, version: number): StoredRelease {
  if (result.outcome === 'published' || result.outcome === 'exists') return result.release;
  if (result.outcome === 'refused')
    throw cannotPublish({ id: skillId, version, state: result.state });
  throw otherContent(skillId, version);
}

function assertAuthor(
  spec: ListedSpec | undefined,
  { skillId, by }: Pick<PublishRequest, 'skillId' | 'by'>,
): void {
  if (!mayChange(by, spec?.stored?.owner ?? OPERATOR)) throw foreignSpec('skill', skillId);
}

function assertPublishable(spec: ListedSpec): void {
  if (spec.state === 'draft' || spec.state === 'deprecated') throw cannotPublish(spec);
}

function cannotPublish({ id, version, state }: Pick<ListedSpec, 'id' | 'version' | 'state'>) {
  const next = state === 'draft' ? '; submit it as validated first' : '';
  const message = `skill spec ${id} version ${version} is ${state} and can't be published${next}`;
  return new RuntimeError('conflict', message, { details: { state } });
}

function unusable(
  { skillId, version }: StoredRelease,
  examined: Exclude<ExaminedRelease, { verdict: 'valid' }>,
): RuntimeError {
  const name = `skill release ${skillId} version ${version}`;
  if (examined.verdict === 'altered') {
    const hint = 'restore it from a backup, or publish the skill under a new version';
    return new RuntimeError('conflict', `${name} was altered and is not used: ${examined.reason}`, {
      details: { reason: examined.reason, hint },
    });
  }
  const { key_id: keyId, public_key: publicKey } = examined.release.signature;
  const message = `${name} is signed with key ${keyId}, which is not trusted here`;
  const hint = `add ${publicKey} to skills.trusted_keys if you trust its owner`;
  return new RuntimeError('conflict', message, { details: { key_id: keyId, hint } });
}

function notFound(
  words: string,
  thing: string,
  { skillId, version }: { readonly skillId: string; readonly version: number },
): RuntimeError {
  const message = `${words} ${skillId} version ${version} does not exist`;
  return new RuntimeError('not_found', message, { details: { thing } });
}

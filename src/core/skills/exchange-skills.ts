import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject, toJsonValue } from '../json.ts';
import { listBundleFiles } from './bundle-files.ts';
import { parseRelease } from './parse-release.ts';
import { judgeRelease, type SkillKeys, signRelease } from './release-signature.ts';
import type { ExaminedRelease, Releases } from './releases.ts';
import { compileBundle, hashBundle } from './skill-bundle.ts';
import type { SkillFile } from './skill-files.ts';
import {
  EXPORT_FORMAT,
  type FolderRequest,
  type SkillFolder,
  toSkillSpec,
} from './skill-folder.ts';
import type { SkillRelease } from './skill-release.ts';
import { parseCompleteSkill } from './skill-spec.ts';
import type { PutSpec } from './skill-store.ts';
import { hashContent, type SpecRegistry, toPut } from './spec-registry.ts';

/** Skills that come from a folder and go into one. */
export interface SkillExchange {
  /** Makes a spec of the folder and publishes it; the same folder again is the same release. */
  publishFolder(folder: SkillFolder, request: PublishFolder): Promise<SkillRelease>;
  /** What is to be said of an exported folder. Throws `unprocessable` for a folder that is none. */
  examineFolder(folder: SkillFolder): Promise<ExaminedRelease>;
  /** Takes over a release that somebody exported. Throws `forbidden` when nobody here trusts its key. */
  install(folder: SkillFolder, request: InstallRequest): Promise<InstalledSkill>;
  /** Every file of a released skill, with what the next one needs to check it. */
  exportRelease(skillId: string, version: number): Promise<ExportedSkill>;
}

interface PublishFolder {
  readonly by: string;
  readonly skillId?: string | undefined;
  /** The version that holds this content already, else the next one, when left out. */
  readonly version?: number | undefined;
}

interface InstallRequest {
  readonly by: string;
  /** Takes what nobody vouches for, and signs it here. */
  readonly allowsUntrusted: boolean;
}

interface InstalledSkill {
  readonly release: SkillRelease;
  readonly isResigned: boolean;
  /** Tools that it names and nobody has here, as `tool@v1`. */
  readonly missingTools: readonly string[];
}

export interface ExportedSkill {
  readonly release: SkillRelease;
  readonly files: readonly SkillFile[];
  /** For `skill-release.json`. */
  readonly exported: JsonObject;
}

export interface SkillExchangeDeps {
  readonly registry: SpecRegistry;
  readonly releases: Releases;
  readonly keys: SkillKeys;
}

export function createSkillExchange({
  registry,
  releases,
  keys,
}: SkillExchangeDeps): SkillExchange {
  async function examineFolder(folder: SkillFolder): Promise<ExaminedRelease> {
    const release = parseExport(folder);
    const verdict = await judgeRelease(release, keys);
    if (verdict.verdict === 'altered') return verdict;
    const path = findDifference(listBundleFiles(release.bundle), folder.files);
    if (path === undefined) return { ...verdict, release };
    return { verdict: 'altered', reason: `${path} is not as in the signed bundle` };
  }

  async function chooseVersion(folder: SkillFolder, skillId: string | undefined): Promise<number> {
    const given = toSkillSpec(folder, { version: 1, skillId });
    const all = await registry.list('skill');
    const own = all.filter(({ id }) => id === given['skill_id']);
    const same = own.find(
      ({ version, document, state }) =>
        state !== 'deprecated' && hashContent(document) === hashContent({ ...given, version }),
    );
    if (same) return same.version;
    // A release may be there without a spec.
    const released = (await releases.list()).filter((head) => head.skillId === given['skill_id']);
    return Math.max(0, ...[...own, ...released].map(({ version }) => version)) + 1;
  }

  return {
    async publishFolder(folder, { by, skillId, version }) {
      const request: FolderRequest = {
        version: version ?? (await chooseVersion(folder, skillId)),
        skillId,
      };
      const spec = await registry.put('skill', { document: toSkillSpec(folder, request), by });
      const { id, version: stored, contentHash } = spec;
      return releases.publish({ skillId: id, version: stored, by, contentHash });
    },

    examineFolder,

    async install(folder, { by, allowsUntrusted }) {
      const examined = await examineFolder(folder);
      if (examined.verdict === 'altered') {
        throw new RuntimeError('unprocessable', `the bundle was altered: ${examined.reason}`, {
          details: { hint: 'get it again from whoever signed it' },
        });
      }
      const isResigned = examined.verdict === 'untrusted';
      if (isResigned && !allowsUntrusted) throw untrusted(examined.release);
      const { signature: _, ...content } = examined.release;
      const release = isResigned ? signRelease(content, await keys.getOwn()) : examined.release;
      const stored = await releases.store(release, findSource(folder, release, by));
      return { release: stored, isResigned, missingTools: await findMissing(registry, stored) };
    },

    async exportRelease(skillId, version) {
      const release = await releases.get(skillId, version);
      const spec = await registry.find({ kind: 'skill', id: skillId, version });
      const exported = toJsonValue({
        format: EXPORT_FORMAT,
        release,
        ...(spec ? { skill_spec: spec.document } : {}),
      });
      return { release, files: listBundleFiles(release.bundle), exported: exported as JsonObject };
    },
  };
}

function parseExport({ exported }: SkillFolder): SkillRelease {
  const document = exported?.['release'];
  const parsed =
    exported?.['format'] === EXPORT_FORMAT && isJsonObject(document)
      ? parseRelease(document)
      : undefined;
  if (parsed?.outcome === 'valid') return parsed.spec;
  throw new RuntimeError('unprocessable', 'the folder holds no exported skill release', {
    details: {
      hint: 'claw skills export writes one; claw skills publish takes a folder that is not signed',
      ...(parsed && { problems: parsed.problems }),
    },
  });
}

/** The first path that differs: its content, or that it is only on one side. */
function findDifference(
  signed: readonly SkillFile[],
  found: readonly SkillFile[],
): string | undefined {
  const contents = (files: readonly SkillFile[]) =>
    new Map(files.map((file) => [file.path, toBytes(file).toString('base64')]));
  const [left, right] = [contents(signed), contents(found)];
  return [...new Set([...left.keys(), ...right.keys()])].find(
    (path) => left.get(path) !== right.get(path),
  );
}

export function toBytes({ content, encoding }: SkillFile): Buffer {
  return Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
}

/**
 * The spec travels unsigned: it is believed only when it compiles to the bundle that is signed. Else the release
 * stands alone.
 */
function findSource(folder: SkillFolder, release: SkillRelease, by: string): PutSpec | undefined {
  const document = folder.exported?.['skill_spec'];
  const parsed = isJsonObject(document) ? parseCompleteSkill(document) : undefined;
  if (!isJsonObject(document) || parsed?.outcome !== 'valid') return undefined;
  const { skill_id: id, version } = parsed.spec;
  const bundle = compileBundle(parsed.spec, release.bundle.tool_manifest_refs);
  const isSame =
    id === release.skill_id &&
    version === release.version &&
    hashBundle(bundle) === release.bundle_hash;
  return isSame ? toPut('skill', { document, state: 'published', by }) : undefined;
}

async function findMissing(registry: SpecRegistry, { bundle }: SkillRelease): Promise<string[]> {
  const missing: string[] = [];
  for (const { tool_id: id, version } of bundle.tool_manifest_refs) {
    if (!(await registry.find({ kind: 'tool', id, version }))) missing.push(`${id}@v${version}`);
  }
  return missing;
}

function untrusted({ skill_id: id, version, signature }: SkillRelease): RuntimeError {
  const { key_id: keyId, public_key: publicKey } = signature;
  return new RuntimeError(
    'forbidden',
    `skill ${id} version ${version} is signed with key ${keyId}, which is not trusted here`,
    {
      details: {
        key_id: keyId,
        public_key: publicKey,
        hint: `if you trust its owner: claw config set skills.trusted_keys '["${publicKey}"]'; --allow-untrusted takes it once and signs it here`,
      },
    },
  );
}

import type { Clock } from '../clock.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { OPERATOR } from '../principal.ts';
import { getDescription, getInstructions, listBundleFiles } from './bundle-files.ts';
import { chooseCurrent } from './choose-current.ts';
import type { Releases } from './releases.ts';
import { SKILL_FILE } from './skill-file-name.ts';
import type { SkillFile } from './skill-files.ts';
import type { SkillRelease } from './skill-release.ts';
import type { ReleaseHead } from './skill-store.ts';

/** The skills that agents find in their runs: of each, the newest release that is not deprecated. */
export interface SkillShelf {
  /**
   * Name and description only; a model reads the rest when it needs it. Never fails: old lines are better than none.
   * For a principal: the operator's skills and the principal's own. For the operator: the operator's own, since what
   * a principal wrote would be words of a stranger in the prompt.
   */
  listForPrompt(principal: string): Promise<readonly SkillLine[]>;
  /** Throws `not_found`, and `conflict` for a release that must not be used. */
  read(request: ReadSkill): Promise<SkillPiece>;
  /** Looks again: something was published. */
  refresh(): Promise<void>;
}

export interface SkillLine {
  readonly name: string;
  readonly description: string;
}

interface ReadSkill {
  /** Who reads. */
  readonly principal: string;
  /** As in the prompt, or the skill's id. */
  readonly name: string;
  /** Of a file in the skill's folder; its instructions when left out. */
  readonly path?: string | undefined;
}

interface SkillPiece {
  readonly name: string;
  readonly version: number;
  readonly file: SkillFile;
  /** Every other file that can be read. */
  readonly paths: readonly string[];
}

export interface ShelfSettings {
  readonly isEnabled: boolean;
  readonly maxInPrompt: number;
}

export interface SkillShelfDeps {
  readonly releases: Pick<Releases, 'list' | 'examine' | 'get'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly settings: () => ShelfSettings;
  /** Whose signatures count besides our own: when these change, every release is looked at again. */
  readonly trusted: () => readonly string[];
}

interface ShelfEntry extends SkillLine {
  readonly owner: string;
  readonly skillId: string;
  readonly version: number;
}

/** What another process publishes is seen after this time at the latest. */
const MAX_AGE_MS = 5_000;
const MAX_NAMES_TOLD = 20;

export function createSkillShelf(deps: SkillShelfDeps): SkillShelf {
  const { releases, clock, logger } = deps;
  /**
   * By release: they never change, so one look at each is enough. Undefined for one that must not be used; that may be
   * mended, so it is looked at again.
   */
  let known = new Map<string, SkillLine | undefined>();
  let knownFor = '';
  let entries: readonly ShelfEntry[] = [];
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function examine(head: ReleaseHead): Promise<SkillLine | undefined> {
    const { skillId, version, releaseId } = head;
    const examined = await releases.examine(skillId, version);
    if (examined?.verdict === 'valid') return toLine(examined.release);
    if (!known.has(releaseId)) {
      const reason = examined?.verdict === 'altered' ? examined.reason : 'its key is not trusted';
      logger.warn({ skillId, version, reason }, 'a skill release is not used');
    }
    return undefined;
  }

  async function look(): Promise<void> {
    const trusted = deps.trusted().join();
    if (trusted !== knownFor) known = new Map();
    knownFor = trusted;
    const seen = new Map<string, SkillLine | undefined>();
    const found: ShelfEntry[] = [];
    for (const head of chooseCurrent(await releases.list())) {
      const { skillId, version, releaseId, owner } = head;
      const line = known.get(releaseId) ?? (await examine(head));
      seen.set(releaseId, line);
      if (line) found.push({ ...line, owner, skillId, version });
    }
    known = seen;
    entries = found;
    freshUntilMs = clock.nowMs() + MAX_AGE_MS;
  }

  function refresh(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function findFresh(): Promise<readonly ShelfEntry[]> {
    if (clock.nowMs() >= freshUntilMs) await refresh();
    return entries;
  }

  return {
    async listForPrompt(principal) {
      const { isEnabled, maxInPrompt } = deps.settings();
      if (!isEnabled || maxInPrompt === 0) return [];
      await findFresh().catch((thrown: unknown) => {
        logger.warn({ error: toRuntimeError(thrown).message }, 'skills could not be looked up');
      });
      const offered = arrangeFor(principal, entries).slice(0, maxInPrompt);
      return offered.map(({ name, description }) => ({ name, description }));
    },

    async read({ principal, name, path = SKILL_FILE }) {
      const all = deps.settings().isEnabled ? await findFresh() : [];
      const shelf = arrangeFor(principal, all);
      const entry =
        shelf.find((each) => each.name === name) ?? shelf.find((each) => each.skillId === name);
      if (!entry) throw skillNotFound(name, shelf);
      const release = await releases.get(entry.skillId, entry.version);
      return toPiece(entry.name, release, path);
    },

    // One look may have begun before the publication.
    refresh: async () => {
      await looking;
      await refresh();
    },
  };
}

/** Whom it is not for must not notice a skill, not even by what others are called. */
function arrangeFor(principal: string, entries: readonly ShelfEntry[]): ShelfEntry[] {
  const own = entries.filter(({ owner }) => owner === OPERATOR || owner === principal);
  return tellApart(own).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Skills that are called the same, or as another's id, go by their ids: no name stands for two of them. */
function tellApart(entries: readonly ShelfEntry[]): ShelfEntry[] {
  const bearers = new Map<string, number>();
  for (const { name, skillId } of entries) {
    for (const word of new Set([name, skillId])) bearers.set(word, (bearers.get(word) ?? 0) + 1);
  }
  return entries.map((entry) =>
    (bearers.get(entry.name) ?? 0) > 1 ? { ...entry, name: entry.skillId } : entry,
  );
}

function toLine({ bundle }: SkillRelease): SkillLine {
  return { name: bundle.root, description: getDescription(bundle) };
}

function toPiece(name: string, { bundle, version }: SkillRelease, path: string): SkillPiece {
  const files = listBundleFiles(bundle);
  const paths = files.map((file) => file.path);
  const file = files.find((each) => each.path === path);
  if (!file) {
    const message = `skill ${name} has no file ${path.slice(0, 200)}; it has ${paths.join(', ')}`;
    throw new RuntimeError('not_found', message, { details: { thing: 'skill_file' } });
  }
  const shown = path === SKILL_FILE ? { path, content: getInstructions(bundle) } : file;
  return { name, version, file: shown, paths: paths.filter((each) => each !== path) };
}

function skillNotFound(name: string, shelf: readonly ShelfEntry[]): RuntimeError {
  const names = shelf.slice(0, MAX_NAMES_TOLD).map((entry) => entry.name);
  const others = names.length === 0 ? 'there are no skills' : `there are ${names.join(', ')}`;
  const message = `skill ${name.slice(0, 200)} does not exist; ${others}`;
  return new RuntimeError('not_found', message, { details: { thing: 'skill' } });
}

import { createHash } from 'node:crypto';
import { realpath, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Agent } from '../../core/agents/agent.ts';
import { type AgentFiles, MAX_SOUL_CHARS, type SoulFile } from '../../core/agents/agent-files.ts';
import { runtimeOf } from '../../core/agents/agent-runtime.ts';
import { SLUG_PATTERN } from '../../core/agents/agent-slug.ts';
import { toIso } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { isInside } from '../../platform/is-inside.ts';
import { makeDirectory } from '../../platform/owner-only.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { readOwnFile, statOwnFile } from './read-own-file.ts';
import { readObject, scanDefinitions } from './scan-definitions.ts';
import { listNames, openTemplateFiles, TOO_LONG } from './template-files.ts';

export interface AgentFilesDeps {
  /** Holds `souls/` and `agents/`; no tool may reach it. */
  readonly root: string;
  readonly logger: Pick<Logger, 'warn'>;
}

export function openAgentFiles({ root, logger }: AgentFilesDeps): AgentFiles {
  const souls = join(root, 'souls');
  const definitions = join(root, 'agents');
  const soulPath = (slug: string) => join(souls, `${assertSlug(slug)}.md`);
  const definitionPath = (slug: string) => join(definitions, `${assertSlug(slug)}.config.json`);
  const findSoul = createFindSoul({ root, logger }, soulPath);

  return {
    ...openTemplateFiles(root, logger),
    findSoul,

    async findMark(slug) {
      const mark = (await readObject(root, definitionPath(slug)))?.['soul_sha256'];
      return typeof mark === 'string' ? mark : undefined;
    },

    async write(agent) {
      await makeOwnFolder(root, souls);
      await makeOwnFolder(root, definitions);
      const soul = { text: agent.instructions, digest: digestOf(agent.instructions) };
      // One that says the same already stays: somebody may have it open.
      if ((await findSoul(agent.slug))?.digest !== soul.digest) {
        await replaceFile(soulPath(agent.slug), soul.text);
      }
      await replaceFile(definitionPath(agent.slug), encodeDefinition(agent, soul.digest));
    },

    async listIncomplete(agents) {
      const [there, defined] = await Promise.all([listNames(souls), listNames(definitions)]);
      return agents.filter(
        ({ slug }) => !there.has(`${slug}.md`) || !defined.has(`${slug}.config.json`),
      );
    },

    async discard(slug) {
      const trash = join(definitions, '.trash');
      await makeOwnFolder(root, definitions);
      await makeOwnFolder(root, trash);
      for (const path of [soulPath(slug), definitionPath(slug)]) {
        const to = join(trash, basename(path));
        await rm(to, { force: true, recursive: true });
        await rename(path, to).catch(ignoreMissing);
      }
    },

    scan: () => scanDefinitions({ root, definitions, souls }),
  };
}

function createFindSoul(
  { root, logger }: AgentFilesDeps,
  toPath: (slug: string) => string,
): AgentFiles['findSoul'] {
  const known = new Map<string, { readonly stamp: string; readonly file: SoulFile | undefined }>();
  return async (slug) => {
    const path = toPath(slug);
    const stamp = statOwnFile(path);
    if (stamp === undefined) {
      known.delete(slug);
      return undefined;
    }
    const seen = known.get(slug);
    if (seen?.stamp === stamp) return seen.file;
    const { content, problem } = await readOwnFile(root, path);
    const isUsable = content !== undefined && content.length <= MAX_SOUL_CHARS;
    const file = isUsable ? { text: content, digest: digestOf(content) } : undefined;
    if (!file) logger.warn({ slug }, `a soul is not used: ${problem ?? TOO_LONG}`);
    known.set(slug, { stamp, file });
    return file;
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function encodeDefinition(agent: Agent, soulDigest: string): string {
  const definition = {
    id: agent.id,
    slug: agent.slug,
    name: agent.name,
    role: agent.role,
    model: agent.model ?? null,
    runtime: runtimeOf(agent),
    personality_template: agent.personalityTemplate ?? null,
    voice_id: agent.voiceId ?? null,
    skills: agent.skills,
    memory_access: agent.memoryAccess,
    created_at: toIso(agent.createdAtMs),
    soul_sha256: soulDigest,
  };
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** Slugs name files: one that could lead elsewhere is nobody's. */
function assertSlug(slug: string): string {
  if (SLUG_PATTERN.test(slug)) return slug;
  throw new RuntimeError('invalid_input', `${JSON.stringify(slug)} is not a slug`);
}

/** What is written must not end up elsewhere by a link that somebody laid. */
async function makeOwnFolder(root: string, folder: string): Promise<void> {
  await makeDirectory(folder);
  const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(folder)]);
  if (isInside(realRoot, realFolder)) return;
  throw new RuntimeError('policy_denied', `${basename(folder)} lies outside of the state root`);
}

function ignoreMissing(thrown: unknown): void {
  if (errnoOf(thrown) !== 'ENOENT') throw thrown;
}

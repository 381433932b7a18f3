import { randomUUID } from 'node:crypto';
import { toRuntimeError } from '../errors.ts';
import { AGENT_ID_PATTERN, type AgentId } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { Redactor } from '../redact/redact.ts';
import { AGENT_STATUSES, type Agent, type AgentStore, type NewAgent } from './agent.ts';
import { type AgentFiles, type FoundDefinition, MAX_SOUL_CHARS } from './agent-files.ts';
import { REMOTE_PROVIDER } from './agent-runtime.ts';
import { chooseSlug, isReservedName, SLUG_PATTERN, toSlug } from './agent-slug.ts';
import { DEFAULT_TEMPLATE, getTemplate, renderSoul } from './personality-template.ts';
import { MAX_AGENTS } from './stored-agents.ts';

export interface ImportDeps {
  readonly store: Pick<AgentStore, 'list' | 'create'>;
  readonly files: AgentFiles;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly logger: Logger;
  /** Whether global memory needs an approval, which no file can give. */
  readonly needsApproval: () => boolean;
  /** Whether other nodes share the store: an agent that is not there was removed by one of them. */
  readonly isShared: boolean;
}

/** What older systems called those of which they knew nothing else. */
const UNKNOWN_ROLE = 'Generalist';
const MAX_FIELD_CHARS = 200;

/**
 * Makes agents of definitions that somebody laid into the folder, and files for agents that have none. What can't be
 * read is said and left alone.
 */
export async function importAgents(deps: ImportDeps): Promise<void> {
  const known = new Set((await deps.store.list()).flatMap(({ id, slug }) => [id as string, slug]));
  for (const found of await deps.files.scan()) {
    const draft = await draftFound(deps, found).catch(() => undefined);
    if (!draft) {
      deps.logger.warn({ path: found.path }, 'an agent definition could not be read and was left');
      continue;
    }
    const isOurs = deps.isShared && found.fields?.['soul_sha256'] !== undefined;
    if (isOurs || known.has(draft.slug ?? '') || known.has(draft.id)) continue;
    const result = await deps.store.create(draft, MAX_AGENTS);
    if (result.outcome !== 'created') continue;
    for (const name of [result.agent.id, result.agent.slug]) known.add(name);
    deps.logger.info({ agent_id: draft.id, path: found.path }, 'an agent was imported');
  }
  await writeMissing(deps);
}

/** Files that are missing, for people to find. One that can't be written is no reason not to start. */
async function writeMissing({ store, files, logger }: ImportDeps): Promise<void> {
  for (const agent of await files.listIncomplete(await store.list())) {
    // A soul that lies there without its definition was put there: the next run takes it.
    if ((await files.findSoul(agent.slug)) !== undefined) continue;
    await files.write(agent).catch((thrown: unknown) => {
      const { message } = toRuntimeError(thrown);
      logger.warn(
        { agent_id: agent.id },
        `the files of ${agent.slug} were not written: ${message}`,
      );
    });
  }
}

async function draftFound(
  deps: ImportDeps,
  { fields, soul }: FoundDefinition,
): Promise<NewAgent | undefined> {
  const name = textOf(fields?.['name']);
  if (fields === undefined || name === undefined) return undefined;
  const slug = slugOf(fields) ?? toSlug(name);
  if (slug === undefined) return undefined;
  const redact = (text: string) => deps.redactor.redactText(text);
  const named = {
    name: redact(name),
    role: redact(textOf(fields['role']) ?? UNKNOWN_ROLE),
    voiceId: textOf(fields['voice_id']),
    skills: skillsOf(fields['skills']),
  };
  const text = soul ?? renderSoul(await getTemplate(deps.files, DEFAULT_TEMPLATE), named);
  if (text.length > MAX_SOUL_CHARS) return undefined;
  return {
    id: idOf(fields['id']),
    // The one it will get: by that it is known at the next start.
    slug: isReservedName(slug) ? chooseSlug(slug, new Set()) : slug,
    ...named,
    model: modelOf(fields),
    instructions: redact(text),
    personalityTemplate: textOf(fields['personality_template']),
    memoryAccess: accessOf(deps, fields['memory_access']),
    status: AGENT_STATUSES.find((status) => status === fields['status']) ?? 'idle',
  };
}

/** Whoever wrote it by hand may say only where the agent lives. */
function modelOf({ model, runtime }: Readonly<Record<string, unknown>>): string | undefined {
  const named = textOf(model);
  return named === undefined && runtime === 'openclaw' ? `${REMOTE_PROVIDER}/main` : named;
}

function accessOf({ needsApproval }: ImportDeps, given: unknown): Agent['memoryAccess'] {
  return given === 'global' && !needsApproval() ? 'global' : 'private';
}

function idOf(given: unknown): AgentId {
  const isId = typeof given === 'string' && AGENT_ID_PATTERN.test(given) && !isReservedName(given);
  return (isId ? given : randomUUID()) as AgentId;
}

function slugOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { slug } = fields;
  return typeof slug === 'string' && SLUG_PATTERN.test(slug) ? slug : undefined;
}

function textOf(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.includes('\0')) return undefined;
  const text = given.trim().slice(0, MAX_FIELD_CHARS);
  return text === '' || !text.isWellFormed() ? undefined : text;
}

const MAX_SKILLS = 50;

function skillsOf(given: unknown): readonly string[] {
  if (!Array.isArray(given)) return [];
  const skills = given.slice(0, MAX_SKILLS).flatMap((skill) => textOf(skill)?.toLowerCase() ?? []);
  return [...new Set(skills)];
}

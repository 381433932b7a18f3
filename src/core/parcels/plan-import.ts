import type { Agent, AgentStore } from '../agents/agent.ts';
import { isBuiltInSkill } from '../agents/agent-skills.ts';
import { toSlug } from '../agents/agent-slug.ts';
import { findNamesake } from '../agents/resolve-agent.ts';
import { MAX_AGENTS, restoreAgent } from '../agents/stored-agents.ts';
import type { AgentId } from '../ids.ts';
import type { Models } from '../loop/model.ts';
import type { Capabilities } from '../policy/capabilities.ts';
import { CAPABILITY_WRITES } from '../policy/stored-capabilities.ts';
import { OPERATOR } from '../principal.ts';
import type { Releases } from '../skills/releases.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Clean } from './encode-rows.ts';
import type { ImportedAgent, ImportOptions, Need } from './import-report.ts';
import type { StagedImport } from './import-store.ts';
import { findNamedReleases, namesOf } from './named-releases.ts';
import type { ParcelAgent } from './parcel-shapes.ts';

export interface PlanAgentDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly models: Pick<Models, 'describe'>;
  readonly capabilities: Pick<Capabilities, 'has'>;
  readonly registry: Pick<ToolRegistry, 'find'>;
  readonly releases: Pick<Releases, 'list' | 'examine'>;
  readonly needsMemoryApproval: () => boolean;
  readonly redactor: Clean;
}

export interface PlannedAgent {
  readonly agent: ImportedAgent;
  readonly soul: string;
  readonly from: ParcelAgent;
  readonly options: ImportOptions;
}

/** The agent under the name and the id that it gets here. */
export function toImportedAgent(
  from: ParcelAgent,
  given: { readonly id: AgentId; readonly name: string | undefined },
  clean: Clean,
): ImportedAgent {
  const name = clean.redactText(given.name?.trim() ?? from.name);
  return {
    id: given.id,
    name,
    slug: given.name === undefined ? from.slug : (toSlug(name) ?? `agent-${given.id.slice(0, 8)}`),
    role: clean.redactText(from.role),
    model: from.model ?? undefined,
    skills: from.skills,
    memoryAccess: from.memory_access,
  };
}

/** The agent itself and what it may use: the first of all steps, so that a second import of it ends there. */
export async function stageAgent(
  deps: Pick<PlanAgentDeps, 'redactor' | 'capabilities'>,
  { agent, soul, from, options }: PlannedAgent,
  add: StagedImport['add'],
): Promise<number> {
  const draft = {
    ...agent,
    instructions: deps.redactor.redactText(soul),
    personalityTemplate: from.personality_template ?? undefined,
    voiceId: from.voice_id ?? undefined,
  };
  const given = { agent: draft, maxAgents: MAX_AGENTS };
  await add({ step: 'write', name: restoreAgent.name, given });
  const changes = from.capabilities.filter(
    ({ tool, effect }) => effect === 'revoke' || isGranted(deps, { agent, options, tool }),
  );
  for (const { tool, effect } of changes) {
    const change = { agentId: agent.id, tool, effect, by: OPERATOR };
    await add({ step: 'write', name: CAPABILITY_WRITES.set.name, given: change });
  }
  return changes.length;
}

interface Asked {
  readonly agent: ImportedAgent;
  readonly options: ImportOptions;
  readonly tool: string;
}

/** By the configuration, which grants to everybody, or by the operator's word for this agent. */
function isGranted(
  { capabilities }: Pick<PlanAgentDeps, 'capabilities'>,
  { agent, options, tool }: Asked,
): boolean {
  return options.granted.includes(tool) || capabilities.has(agent.id, tool);
}

/** What stands in the way of the agent itself, and what it would miss here. */
export async function findAgentNeeds(
  deps: PlanAgentDeps,
  planned: PlannedAgent,
): Promise<readonly Need[]> {
  return [
    ...findNameNeeds(await deps.agents.list(), planned.agent),
    ...findMemoryNeeds(deps, planned),
    ...findCapabilityNeeds(deps, planned),
    ...(await findModelNeeds(deps, planned.agent)),
  ];
}

function findNameNeeds(agents: readonly Agent[], { id, name, slug }: ImportedAgent): Need[] {
  // The same file may be imported at this moment: that is itself, and found out by the commit.
  const others = agents.filter((agent) => agent.id !== id);
  const namesake = findNamesake(others, name) ?? findNamesake(others, slug);
  if (!namesake) return [];
  return [
    {
      kind: 'name',
      what: name,
      isBlocking: true,
      message: `an agent is called ${namesake.slug} already; --as NAME imports it under another name`,
    },
  ];
}

function findMemoryNeeds(deps: PlanAgentDeps, { agent, options }: PlannedAgent): Need[] {
  if (agent.memoryAccess !== 'global' || options.isMemoryApproved) return [];
  if (!deps.needsMemoryApproval()) return [];
  return [
    {
      kind: 'global_memory',
      what: agent.name,
      isBlocking: true,
      message: 'its memory is global, which needs an approval here: --approve-global-memory',
    },
  ];
}

function findCapabilityNeeds(deps: PlanAgentDeps, { agent, from, options }: PlannedAgent): Need[] {
  const asked = from.capabilities.filter(({ effect }) => effect === 'grant');
  const missing = asked.filter(({ tool }) => !isGranted(deps, { agent, options, tool }));
  return missing.map(({ tool }) => ({
    kind: 'capability',
    what: tool,
    isBlocking: !options.withoutGrants,
    message: options.withoutGrants
      ? `${tool} is not granted here: the agent comes without it`
      : `it was granted ${tool}, which is not granted here; --grant '${tool}' grants it, --without-grants leaves it out`,
  }));
}

async function findModelNeeds({ models }: PlanAgentDeps, agent: ImportedAgent): Promise<Need[]> {
  const { model, slug } = agent;
  if (model === undefined) return [];
  try {
    await models.describe(model);
    return [];
  } catch {
    const message = `its model ${model} is not set up here; until it is, its runs fail: claw agents update ${slug} --model PROVIDER/NAME`;
    return [{ kind: 'model', what: model, isBlocking: false, message }];
  }
}

/** Words that open nothing here, neither tools nor a skill that somebody published. */
export async function findSkillNeeds(
  deps: Pick<PlanAgentDeps, 'registry' | 'releases'>,
  skills: readonly string[],
  brought: ReadonlySet<string>,
): Promise<readonly Need[]> {
  const unknown = skills.filter(
    (word) => !isBuiltInSkill(word) && !deps.registry.find(word) && !brought.has(word),
  );
  const here = await findNamedReleases(deps.releases, unknown);
  const names = new Set(here.flatMap(namesOf));
  return unknown
    .filter((word) => !names.has(word))
    .map((word) => ({
      kind: 'skill',
      what: word,
      isBlocking: false,
      message: `nobody here has the skill ${word}: until it is published, the agent does without it`,
    }));
}

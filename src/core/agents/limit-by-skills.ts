import { type Clock, systemClock } from '../clock.ts';
import type { AgentId } from '../ids.ts';
import type { Capabilities } from '../policy/capabilities.ts';
import type { Agent, AgentStore } from './agent.ts';
import { isWithinSkills } from './agent-skills.ts';

export interface SkilledCapabilities extends Capabilities {
  /** What is known of an agent at the start of its run counts from then on. */
  note(agent: Pick<Agent, 'id' | 'skills'>): void;
}

/** How long a change may go unnoticed by a run under way: every call asks, and not each of them can read. */
const MAX_AGE_MS = 1_000;

/** Capabilities of which an agent's skills choose some. They never add any: what is not granted stays so. */
export function limitBySkills(
  capabilities: Capabilities,
  agents: Pick<AgentStore, 'listSkills'>,
  clock: Pick<Clock, 'nowMs'> = systemClock,
): SkilledCapabilities {
  let skills = new Map<AgentId, readonly string[]>();
  let version = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    skills = new Map((await agents.listSkills()).map((agent) => [agent.id, agent.skills]));
    version += 1;
    readAtMs = clock.nowMs();
  }

  async function freshen(): Promise<void> {
    if (Math.abs(clock.nowMs() - readAtMs) < MAX_AGE_MS) return;
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
    await looking;
  }

  return {
    ...capabilities,
    has: (agentId, tool) =>
      capabilities.has(agentId, tool) && isWithinSkills(skills.get(agentId) ?? [], tool),
    version: () => capabilities.version() + version,

    note(agent) {
      if (isSame(skills.get(agent.id) ?? [], agent.skills)) return;
      skills.set(agent.id, agent.skills);
      version += 1;
    },

    async refresh() {
      await Promise.all([capabilities.refresh(), look()]);
    },

    async freshen() {
      await Promise.all([capabilities.freshen(), freshen()]);
    },
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((skill, index) => skill === other[index]);
}

import { createAgentStore } from '../core/agents/stored-agents.ts';
import { createCommsStore } from '../core/comms/stored-comms.ts';
import { createCostStore } from '../core/costs/stored-costs.ts';
import { createHandoffStore } from '../core/handoffs/stored-handoffs.ts';
import { createReceiptStore } from '../core/integrations/stored-calls.ts';
import { createKillSwitchStore } from '../core/kill-switch/stored-kill-switch.ts';
import { createFactStore } from '../core/knowledge/stored-facts.ts';
import { createFeedStore } from '../core/knowledge/stored-feed.ts';
import { createMailStore } from '../core/mail/stored-mail.ts';
import { createMemoryStore } from '../core/memory/stored-memories.ts';
import { createVectorStore } from '../core/memory/stored-vectors.ts';
import { createCountStore } from '../core/observability/stored-counts.ts';
import { createCapabilityStore } from '../core/policy/stored-capabilities.ts';
import { createProjectionStore } from '../core/projection/stored-projections.ts';
import { createProjectStore } from '../core/projects/stored-projects.ts';
import { createBreakerStore } from '../core/reliability/breakers/stored-breakers.ts';
import { createSignInStore } from '../core/sign-ins/stored-sign-ins.ts';
import { createSkillStore } from '../core/skills/stored-skills.ts';
import type { Tables } from '../core/store/tables.ts';
import { createNonceStore } from '../core/threads/stored-nonces.ts';
import { createToolPinStore } from '../core/tools/stored-pins.ts';

/** The ports that no engine has to know: they are the same on all of them. */
export function createTableStores(tables: Tables) {
  return {
    agents: createAgentStore(tables),
    breakers: createBreakerStore(tables),
    capabilities: createCapabilityStore(tables),
    comms: createCommsStore(tables),
    costs: createCostStore(tables),
    facts: createFactStore(tables),
    feed: createFeedStore(tables),
    handoffs: createHandoffStore(tables),
    counts: createCountStore(tables),
    killSwitch: createKillSwitchStore(tables),
    mail: createMailStore(tables),
    memories: createMemoryStore(tables),
    nonces: createNonceStore(tables),
    projects: createProjectStore(tables),
    projections: createProjectionStore(tables),
    receipts: createReceiptStore(tables),
    signIns: createSignInStore(tables),
    skills: createSkillStore(tables),
    toolPins: createToolPinStore(tables),
    vectors: createVectorStore(tables),
  };
}

import type { Closing } from '../closing-list.ts';
import { resolveAgent } from '../core/agents/resolve-agent.ts';
import { systemClock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import { createDeliverer, type Deliverer } from '../core/handoffs/deliverer.ts';
import type { Handoff } from '../core/handoffs/handoff.ts';
import { createHandoffs, type HandoffsDeps } from '../core/handoffs/handoffs.ts';
import type { AgentId, Ids, MemoryId } from '../core/ids.ts';
import { createFacts } from '../core/knowledge/facts.ts';
import { createKnowledge } from '../core/knowledge/knowledge.ts';
import { createViewers } from '../core/knowledge/viewers.ts';
import type { Logger } from '../core/log.ts';
import type { Mailbox } from '../core/mail/mailbox.ts';
import type { Memories } from '../core/memory/memories.ts';
import { createProjects } from '../core/projects/projects.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Runs } from '../core/runs/runs.ts';
import type { Storage } from '../core/storage.ts';
import type { Role } from '../open-storage.ts';
import { createAgentHandoff } from '../toolbox/handoffs/agent-handoff.ts';
import { createKnowledgeAdd } from '../toolbox/knowledge/knowledge-add.ts';
import { createKnowledgeFind } from '../toolbox/knowledge/knowledge-find.ts';

export interface KnowledgeGround {
  readonly storage: Storage;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly mailbox: Mailbox;
  readonly memories: Pick<Memories, 'ingest'>;
  readonly assertAffordable: HandoffsDeps['assertAffordable'];
  readonly role: Role;
}

/** What agents give each other, what was learned of it, and the projects all that belongs to. */
export function assembleKnowledge(ground: KnowledgeGround) {
  const { storage, ids, redactor } = ground;
  const clock = systemClock;
  const agents = { resolve: (reference: string) => resolveAgent(storage.agents, reference) };
  const viewers = createViewers(agents);
  // The tools that look at runs are made before the runs are; they are called after.
  const later: { runs?: Runs; deliverer?: Deliverer } = {};
  const handoffs = createHandoffs({
    ...{ store: storage.handoffs, agents, ids, redactor },
    assertAffordable: ground.assertAffordable,
    // Without a server what is stored waits for one.
    deliver: async (handoff) => later.deliverer?.deliver(handoff),
  });
  const facts = createFacts({
    ...{ store: storage.facts, viewers, agents: storage.agents, ids, redactor, clock },
  });
  const runs: Pick<Runs, 'get'> = {
    async get(id) {
      if (!later.runs) throw new RuntimeError('internal', 'runs are not there yet');
      return later.runs.get(id);
    },
  };
  return {
    services: {
      handoffs,
      facts,
      knowledge: createKnowledge({ ...storage, viewers, clock }),
      projects: createProjects({ ...storage, viewers, clock }),
    },
    forgetAgent: (id: AgentId) => facts.forgetAgent(id),
    tools: [
      createAgentHandoff({ handoffs, runs }),
      createKnowledgeAdd({ facts, runs }),
      createKnowledgeFind({ facts, runs }),
    ],
    /** Only a server sees hand-offs through: whoever executes its own runs alone would hold up those of others. */
    async begin(made: Runs, closing: Closing): Promise<void> {
      later.runs = made;
      if (ground.role !== 'server') return;
      const deliverer = createDeliverer({
        ...{ ...storage, store: storage.handoffs, runs: made, mailbox: ground.mailbox },
        remember: (handoff) => rememberHandoff(ground, handoff),
        ...{ clock, logger: ground.logger },
      });
      closing.add(() => deliverer.stop());
      deliverer.start();
      later.deliverer = deliverer;
    },
  };
}

export type KnowledgeServices = ReturnType<typeof assembleKnowledge>['services'];

/** Worth more than what is said in passing, and no discovery of its own: the feed tells of the hand-off. */
const HANDOFF_PRIORITY = 7;

/**
 * Written by the sender, or by the receiver when the sender keeps its memory to itself: then whoever got the work can
 * recall it, and nobody sees more than the receiver shares.
 */
async function rememberHandoff(
  { storage, memories }: KnowledgeGround,
  handoff: Handoff,
): Promise<MemoryId> {
  const { id, owner, from, to, projectId, content, createdAtMs, parentRunId } = handoff;
  const sender = await storage.agents.find(from);
  const { id: memoryId } = await memories.ingest({
    owner,
    agent: sender?.memoryAccess === 'global' ? from : to,
    projectId,
    content,
    source: 'handoff',
    tags: ['handoff'],
    timestampMs: createdAtMs,
    extra: { handoff_id: id, from_agent_id: from, to_agent_id: to },
    priorityScore: HANDOFF_PRIORITY,
    key: `handoff:${id}`,
    // What an agent hands on may come from anywhere.
    isTrusted: parentRunId === undefined,
    isShared: true,
  });
  return memoryId;
}

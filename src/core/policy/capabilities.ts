import { type Clock, systemClock } from '../clock.ts';
import type { AgentId } from '../ids.ts';
import type { Tool } from '../tools/tool.ts';
import type { CapabilityChange, CapabilityStore } from './capability-store.ts';
import type { Decision } from './decision.ts';
import { matchesName } from './policy-rule.ts';

/** Which tools an agent may use: what the configuration grants to everybody, changed by what operators said since. */
export interface Capabilities {
  has(agentId: AgentId, tool: string): boolean;
  /** Another number whenever `has` may answer otherwise for another reason than the configuration. */
  version(): number;
  /** Reads the store again; changes made through it by this process are seen at once. */
  refresh(): Promise<void>;
  /** The same, unless that was done a moment ago. Never rejects: what was known before counts on. */
  freshen(): Promise<void>;
  change(change: Omit<CapabilityChange, 'atMs'>): Promise<void>;
  list(agentId?: AgentId): Promise<CapabilityChange[]>;
}

/** How long a change that another process made may go unnoticed: every call asks, and not each of them can read. */
const MAX_AGE_MS = 1_000;

export function createCapabilities(
  store: CapabilityStore,
  granted: () => readonly string[],
  clock: Pick<Clock, 'nowMs'> = systemClock,
): Capabilities {
  let changes: readonly CapabilityChange[] = [];
  let version = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    changes = await store.list();
    version += 1;
    readAtMs = clock.nowMs();
  }

  return {
    has(agentId, tool) {
      const latest = changes
        .filter((change) => change.agentId === agentId && matchesName(change.tool, tool))
        .reduce<CapabilityChange | undefined>(newer, undefined);
      if (latest) return latest.effect === 'grant';
      return granted().some((pattern) => matchesName(pattern, tool));
    },

    version: () => version,

    refresh,

    async freshen() {
      if (Math.abs(clock.nowMs() - readAtMs) < MAX_AGE_MS) return;
      reading ??= refresh()
        .catch(() => {})
        .finally(() => {
          reading = undefined;
        });
      await reading;
    },

    async change(change) {
      await store.set(change);
      await refresh();
    },

    list: (agentId) => store.list(agentId),
  };
}

/** A tool named in full beats a prefix, whichever came first; among equals the later one counts. */
function newer(best: CapabilityChange | undefined, next: CapabilityChange): CapabilityChange {
  if (!best) return next;
  const isExact = !next.tool.endsWith('*');
  const isBestExact = !best.tool.endsWith('*');
  if (isExact !== isBestExact) return isExact ? next : best;
  return next.atMs >= best.atMs ? next : best;
}

export function judgeCapability(has: Capabilities['has'], agentId: AgentId, tool: Tool): Decision {
  if (has(agentId, tool.name)) return { decision: 'allow', reason: 'capability_granted' };
  return {
    decision: 'deny',
    reason: 'capability_missing',
    message: `agent ${agentId} may not use ${tool.name}`,
  };
}

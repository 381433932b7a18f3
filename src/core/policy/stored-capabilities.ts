import { compareTexts } from '../compare-texts.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import { put } from '../store/change.ts';
import { collection } from '../store/collection.ts';
import { count, find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { defineWrite } from '../store/write.ts';
import type { CapabilityChange, CapabilityStore } from './capability-store.ts';

export const CAPABILITIES = collection<CapabilityChange>()('capabilities', 'agentId', 'tool');

/** Lists are read whole, since a revocation left out would be a grant: the number is bounded where they are made. */
export const MAX_CAPABILITIES = 10_000;

const set = defineWrite({
  name: 'capabilities.set',
  locks: () => ['capabilities'],
  needs: ({ agentId, tool }: Omit<CapabilityChange, 'atMs'>) => ({
    known: find(CAPABILITIES, { agentId, tool }),
    changes: count(CAPABILITIES, { max: MAX_CAPABILITIES }),
  }),
  decide({ known, changes }, change, nowMs) {
    if (!known && changes >= MAX_CAPABILITIES) {
      const message = `there are ${MAX_CAPABILITIES} changes of capabilities already`;
      throw new RuntimeError('limit_reached', message);
    }
    return { value: undefined, changes: [put(CAPABILITIES, { ...change, atMs: nowMs })] };
  },
});

export const CAPABILITY_WRITES = { set };

export function createCapabilityStore({ load, write }: Tables): CapabilityStore {
  return {
    async list(agentId) {
      const of = defined({ agentId });
      const changes = await load(list(CAPABILITIES, { of, limit: MAX_CAPABILITIES }));
      return changes.toSorted(
        (a, b) => compareTexts(a.agentId, b.agentId) || compareTexts(a.tool, b.tool),
      );
    },
    set: (change) => write(set, change),
  };
}

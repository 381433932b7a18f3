import type { MemoryFilter } from '../core/memory/memory-index.ts';
import type { Holdings } from './holdings.ts';
import { type Sight, seeSlots } from './see-slots.ts';

/**
 * What the last filters let through, until something changes: a question is prepared and then asked with the same one,
 * and the next question has it too as a rule.
 */
export function rememberSight(holdings: Holdings): (filter: MemoryFilter) => Sight {
  const MAX_REMEMBERED = 8;
  const remembered = new Map<string, Sight>();
  let version = -1;
  return (filter) => {
    if (version !== holdings.version) remembered.clear();
    version = holdings.version;
    const key = JSON.stringify(filter);
    const known = remembered.get(key);
    if (known) return known;
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest);
    const sight = seeSlots(holdings, filter);
    remembered.set(key, sight);
    return sight;
  };
}

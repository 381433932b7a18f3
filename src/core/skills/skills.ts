import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { createSkillExchange, type SkillExchange } from './exchange-skills.ts';
import type { SkillKeys } from './release-signature.ts';
import { createReleases, type Releases } from './releases.ts';
import { createSkillShelf, type ShelfSettings, type SkillShelf } from './skill-shelf.ts';
import type { SkillStore } from './skill-store.ts';
import { createSpecRegistry, type SpecRegistry } from './spec-registry.ts';

/** Everything about tools and skills that are written down, published, exchanged and used. */
export interface Skills {
  readonly registry: SpecRegistry;
  readonly releases: Releases;
  readonly exchange: SkillExchange;
  readonly shelf: SkillShelf;
}

export interface SkillsDeps {
  readonly store: SkillStore;
  readonly keys: SkillKeys;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly settings: () => ShelfSettings;
}

export function createSkills(deps: SkillsDeps): Skills {
  const { store, keys, clock, logger, settings } = deps;
  const stored = createSpecRegistry(store);
  const published = createReleases({ store, registry: stored, keys, clock });
  const trusted = () => keys.trusted();
  const shelf = createSkillShelf({ releases: published, clock, logger, settings, trusted });
  const registry: SpecRegistry = { ...stored, put: withRefresh(shelf, stored.put) };
  const releases: Releases = {
    ...published,
    publish: withRefresh(shelf, published.publish),
    store: withRefresh(shelf, published.store),
  };
  return { registry, releases, exchange: createSkillExchange({ registry, releases, keys }), shelf };
}

/** A run that starts after the answer knows of the change. That it was made does not depend on that. */
function withRefresh<Args extends unknown[], T>(
  shelf: SkillShelf,
  change: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return async (...args) => {
    const result = await change(...args);
    await shelf.refresh().catch(() => {});
    return result;
  };
}

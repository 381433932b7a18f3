import type { FoundSpec, ManifestRef } from '../integrations/find-manifest.ts';
import { isJsonObject } from '../json.ts';
import { maySee, OPERATOR } from '../principal.ts';
import type { ListedSpec, SpecRegistry } from './spec-registry.ts';

/**
 * The newest spec that may be used, stored or built in. A tool's id decides before an integration's. Anybody may write the
 * id of any integration into a spec: by it alone nobody gets a stranger's.
 */
export async function findManifest(
  registry: Pick<SpecRegistry, 'list'>,
  ref: ManifestRef,
  principal: string,
): Promise<FoundSpec | undefined> {
  let newest: FoundSpec | undefined;
  for (const spec of await registry.list('tool')) {
    const { integration_manifest: manifest } = spec.document;
    if (!isUsable(spec) || !isJsonObject(manifest)) continue;
    if (!isMeant(ref, spec, manifest['integration_id'])) continue;
    if (ref.toolId === undefined && !isVouchedFor(spec, principal)) continue;
    if (newest === undefined || newest.version < spec.version) {
      newest = { version: spec.version, manifest };
    }
  }
  return newest;
}

function isMeant(ref: ManifestRef, spec: ListedSpec, integrationId: unknown): boolean {
  if (ref.version !== undefined && ref.version !== spec.version) return false;
  return ref.toolId === undefined ? ref.integrationId === integrationId : ref.toolId === spec.id;
}

function isVouchedFor({ stored }: ListedSpec, principal: string): boolean {
  const owner = stored?.owner ?? OPERATOR;
  return owner === OPERATOR || maySee(principal, owner);
}

/** What is only a draft is not finished, and what is deprecated should be used no more. */
export function isUsable({ state }: Pick<ListedSpec, 'state'>): boolean {
  return state === 'validated' || state === 'published';
}

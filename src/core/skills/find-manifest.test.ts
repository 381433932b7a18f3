import { expect, test } from 'vitest';
import { findManifest } from './find-manifest.ts';
import type { ListedSpec } from './spec-registry.ts';
import type { SpecState } from './spec-state.ts';

function spec(id: string, version: number, state: SpecState): ListedSpec {
  const document = { integration_manifest: { integration_id: 'github.team', version } };
  return { kind: 'tool', id, version, state, document, stored: undefined };
}

const SPECS = [
  spec('team.a', 1, 'published'),
  spec('team.a', 2, 'validated'),
  spec('team.a', 3, 'draft'),
  spec('team.b', 5, 'published'),
  spec('team.b', 6, 'deprecated'),
];

test.each([
  [{ toolId: 'team.a' }, 2],
  [{ toolId: 'team.a', version: 1 }, 1],
  [{ toolId: 'team.a', version: 3 }, undefined],
  [{ toolId: 'team.b' }, 5],
  [{ toolId: 'team.a', integrationId: 'other' }, 2],
  [{ integrationId: 'github.team' }, 5],
  [{ integrationId: 'github.team', version: 2 }, 2],
  [{ integrationId: 'other' }, undefined],
])('finds for %j the newest that may be used', async (ref, version) => {
  expect((await findManifest({ list: async () => SPECS }, ref, 'user:1'))?.version).toBe(version);
});

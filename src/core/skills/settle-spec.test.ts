import { expect, test } from 'vitest';
import { settleSpec } from './settle-spec.ts';
import type { PutSpec, StoredSpec } from './skill-store.ts';
import { SPEC_STATES, type SpecState } from './spec-state.ts';

const PUT: PutSpec = {
  kind: 'skill',
  id: 'tidy',
  version: 1,
  state: 'draft',
  document: {},
  contentHash: 'same',
  submittedBy: 'user:1',
};

function settle(from: SpecState, to: SpecState, contentHash = 'same'): string {
  const owner = 'user:1';
  const stored: StoredSpec = { ...PUT, owner, state: from, createdAtMs: 1, updatedAtMs: 1 };
  const result = settleSpec({ stored, owner }, { ...PUT, state: to, contentHash }, 2);
  if (result.outcome === 'stored') return result.spec.state;
  return result.outcome === 'refused' ? result.reason : result.outcome;
}

function table(contentHash: string): Record<SpecState, string[]> {
  const rows = SPEC_STATES.map((from) => [
    from,
    SPEC_STATES.map((to) => settle(from, to, contentHash)),
  ]);
  return Object.fromEntries(rows) as Record<SpecState, string[]>;
}

test('moves the same content forward only; to call it valid again is no step back', () => {
  expect(table('same')).toEqual({
    draft: ['draft', 'validated', 'published', 'deprecated'],
    validated: ['backward', 'validated', 'published', 'deprecated'],
    published: ['backward', 'published', 'published', 'deprecated'],
    deprecated: ['backward', 'deprecated', 'backward', 'deprecated'],
  });
});

test('changes content until it is published, and never after', () => {
  expect(table('other')).toEqual({
    draft: ['draft', 'validated', 'published', 'deprecated'],
    validated: ['backward', 'validated', 'published', 'deprecated'],
    published: ['immutable', 'immutable', 'immutable', 'immutable'],
    deprecated: ['immutable', 'immutable', 'immutable', 'immutable'],
  });
});

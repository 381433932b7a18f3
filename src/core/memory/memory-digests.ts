import { createHash } from 'node:crypto';
import { canonicalJson } from '../json.ts';
import { digestKey } from '../secrets/digest-key.ts';
import type { Memory } from './memory.ts';
import type { NewMemory } from './memory-store.ts';

type Said = Pick<Memory, 'owner' | 'agentId' | 'projectId' | 'sessionId' | 'isPrivate' | 'content'>;

/** Two of the same owner, agent, place and text are one memory. */
export function digestMemory(memory: Said): string {
  const { owner, agentId, projectId, sessionId, isPrivate, content } = memory;
  return digest([owner, agentId, projectId, sessionId ?? null, isPrivate, content]);
}

/** What a caller's key stands for: all that came with it. */
export function digestRequest({ id: _, key: __, agentName: ___, ...memory }: NewMemory): string {
  return digest(memory);
}

/** Owners name their memories without knowing of each other: the same name of two is two. */
export function toKey(owner: string, key: string): string {
  return digestKey(JSON.stringify([owner, key]));
}

function digest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

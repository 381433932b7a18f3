import type { AgentId } from '../ids.ts';
import { type Handoff, MAX_DEPTH } from './handoff.ts';

export type ChainVerdict =
  | { readonly verdict: 'allowed'; readonly chain: readonly AgentId[] }
  | { readonly verdict: 'too_deep' | 'in_chain' };

/**
 * Whether work may be handed on. A chain is every agent that one piece of work came through; it ends after three
 * steps, and nobody is in it twice: what comes of it goes back to each sender by itself, and work that returned to
 * one of them would go round for ever. Work that no hand-off brought begins a chain of its own.
 */
export function judgeChain(
  { from, to }: Pick<Handoff, 'from' | 'to'>,
  parent: Pick<Handoff, 'chain'> | undefined,
): ChainVerdict {
  const before = parent?.chain ?? [from];
  if (before.length > MAX_DEPTH) return { verdict: 'too_deep' };
  if (before.includes(to)) return { verdict: 'in_chain' };
  return { verdict: 'allowed', chain: [...before, to] };
}

import { RuntimeError } from '../errors.ts';
import type { MemoryId } from '../ids.ts';

export function memoryNotFound(id: string): RuntimeError {
  return new RuntimeError('not_found', `memory ${id} does not exist`, {
    details: {
      thing: 'memory',
      recovery_action:
        'Check the id; a memory that an agent keeps to itself is shown when agent_id names it.',
    },
  });
}

export function otherText(id: MemoryId): RuntimeError {
  return new RuntimeError('conflict', `the key was used for another text (${id})`, {
    details: { recovery_action: 'Use a key of its own for each text, or change that memory.' },
  });
}

export function sameText(id: MemoryId): RuntimeError {
  return new RuntimeError('conflict', `memory ${id} says exactly this already`, {
    details: { recovery_action: `Keep ${id} and delete this one.` },
  });
}

export function pinRefused(id: string): RuntimeError {
  return new RuntimeError(
    'policy_denied',
    `memory ${id} comes from an untrusted source: pinning it needs explicit approval`,
    {
      details: {
        recovery_action: 'Read it, then send x-clawos-pin-approved: true to pin it all the same.',
      },
    },
  );
}

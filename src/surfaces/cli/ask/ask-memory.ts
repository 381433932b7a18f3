import {
  getMemory,
  type MemoryReading,
  type MemoryWriting,
} from '../../../operations/memory/memory.ts';
import type { CliContext } from '../program/context.ts';
import { naming } from '../program/errors.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, type Place } from './place.ts';

/** A search needs its index, also without a server; looking creates no state root for it. */
export const MEMORY: Place<MemoryReading, MemoryWriting> = {
  read: fromRuntime(({ memories }) => ({ memories }), { isLooking: true }),
  write: fromRuntime(({ memories }) => ({ memories })),
};

export const askMemory = askAt(MEMORY);

/** Says which memory was looked for when there is none. */
export function namingMemory<T>(name: string, lookup: Promise<T>): Promise<T> {
  const hint =
    'claw memory list shows those that are shared; --as AGENT those that AGENT keeps to itself';
  return naming({ thing: 'memory', name, hint }, lookup);
}

/** Without a writer: a mistyped id must not create a state root. */
export async function assertMemory(
  context: CliContext,
  id: string,
  reader: string | undefined,
): Promise<void> {
  const input = {
    params: { memory_id: id },
    query: { agent_id: reader },
    headers: { 'x-clawos-agent-id': undefined },
  };
  await namingMemory(id, askMemory(context, getMemory, input));
}

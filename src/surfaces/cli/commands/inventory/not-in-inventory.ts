import { RuntimeError } from '../../../../core/errors.ts';
import type { InventoryEntry } from '../../../../core/inventory/inventory-entry.ts';
import type { ProgramParts } from '../../program/context.ts';

export interface MissedEntry {
  readonly thing: 'command' | 'tool';
  readonly name: string;
  /** What was looked among. */
  readonly entries: readonly Pick<InventoryEntry, 'name' | 'aliases'>[];
}

const LISTED_BY = { command: 'claw command-graph', tool: 'claw tool-pool' } as const;

/** Says what was looked for, and what was probably meant. */
export async function notInInventory(
  parts: Pick<ProgramParts, 'findClosestName'>,
  { thing, name, entries }: MissedEntry,
): Promise<RuntimeError> {
  const names = entries.flatMap((entry) => [entry.name, ...entry.aliases]);
  const closest = await parts.findClosestName(name, names);
  const hint =
    closest === undefined ? `${LISTED_BY[thing]} lists them` : `did you mean ${closest}?`;
  return new RuntimeError('not_found', `${thing} not found: ${name}`, {
    details: { thing, name, operation: `find_${thing}`, hint },
  });
}

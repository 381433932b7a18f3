import { RuntimeError } from '../errors.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { ClientTool } from './client-tool.ts';

/** A client's tool must not stand in for one of ours: policy would be asked about the wrong one. */
export function assertFreeNames(
  registry: Pick<ToolRegistry, 'find'>,
  clientTools: readonly ClientTool[],
  field: string,
): void {
  const names = new Set<string>();
  for (const { name } of clientTools) {
    const isTaken = registry.find(name) !== undefined || names.has(name);
    names.add(name);
    if (isTaken) {
      const details = { field };
      throw new RuntimeError('invalid_input', `${field}: the name ${name} is taken`, { details });
    }
  }
}

import type { ToolListShape } from '../../../../operations/tools/tool-shapes.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

/** One line for each tool that is off: why, and how to switch it on. */
export function formatSwitchedOff(
  tools: readonly Pick<ToolListShape['tools'][number], 'name' | 'off'>[],
  style: Style,
): string[] {
  return tools.flatMap(({ name, off }) => {
    if (off === null) return [];
    const said = `${toOneLine(name, 100)} is off: ${toOneLine(off.reason, 200)}; ${toOneLine(off.fix, 200)}`;
    return [style.dim(`${said} switches it on`)];
  });
}

import type { Live } from './live.ts';
import type { ProgramParts } from './program/context.ts';

export interface RootNotice {
  /** The same parts; a runtime that made a state root has that said as soon as it is open. */
  readonly parts: ProgramParts;
  /** Says where a state root was made since, once. */
  look(): void;
}

/** Whoever works where no state root was gets one, and is told where it is. */
export function createRootNotice(parts: ProgramParts, root: string, live: Live): RootNotice {
  let isKnown = !live.isText || parts.hasState(root);

  function look(): void {
    if (isKnown || !parts.hasState(root)) return;
    isKnown = true;
    live.note(live.noteStyle.dim(`made a state root in ${root}`));
  }

  return {
    look,
    parts: {
      ...parts,
      async openLocal(options) {
        const opened = await parts.openLocal(options);
        look();
        return opened;
      },
    },
  };
}

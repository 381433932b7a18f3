import { Button } from '../../../kit/button.tsx';
import { Diff } from '../../../kit/diff.tsx';
import type { SoulDraft } from './use-soul-draft.ts';

interface SoulConflictProps {
  readonly draft: SoulDraft;
  readonly theirs: string;
}

/** Both, side by side as a diff. What was typed stays in the editor until one of them is chosen. */
export function SoulConflict({ draft, theirs }: SoulConflictProps) {
  return (
    <section
      role="alert"
      aria-label="It was changed elsewhere"
      className="mb-4 rounded-lg border border-wait bg-wait-soft p-4"
    >
      <h2 className="font-semibold">It was changed elsewhere while you wrote.</h2>
      <p className="mt-1 mb-3 text-sm">
        Nothing of yours is lost: it is still in the editor. Below, − is what is saved now, + is
        what you typed.
      </p>
      <Diff name="soul" before={theirs} after={draft.text} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={draft.keepMine}>Go on with mine</Button>
        <Button onClick={draft.forget}>Take what is saved</Button>
      </div>
    </section>
  );
}

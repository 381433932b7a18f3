import { Button } from '../../../kit/button.tsx';

/** What was to be told came too late for its run, and is still there. */
export function LateNote({ onSend }: { readonly onSend: () => void }) {
  return (
    <div
      role="status"
      className="mb-2 flex flex-wrap items-center gap-2 rounded-md bg-wait-soft px-3 py-2 text-sm"
    >
      <span className="min-w-0 flex-1">It had ended before it could read this.</span>
      <Button size="small" onClick={onSend}>
        Send it as the next message
      </Button>
    </div>
  );
}

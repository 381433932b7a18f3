import { CloudOff, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { isSameVersion } from '../api/client.ts';
import { live } from '../api/live.ts';
import { session } from '../api/session-state.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../kit/button.tsx';

/** What makes everything below it doubtful. */
export function Banner() {
  const state = useStore(live);
  const { serverVersion } = useStore(session);
  if (state.state === 'lost') {
    const since = new Date(state.sinceMs).toLocaleTimeString();
    return (
      <Strip icon={<CloudOff aria-hidden className="size-4" />}>
        The server can't be reached. What you see is from {since}. Trying again…
      </Strip>
    );
  }
  if (state.state === 'held') {
    return (
      <Strip icon={<CloudOff aria-hidden className="size-4" />}>
        News of the server do not arrive; a proxy may hold them back. What you see is read again
        every ten seconds.
      </Strip>
    );
  }
  if (serverVersion !== undefined && !isSameVersion()) {
    return (
      <Strip icon={<RefreshCw aria-hidden className="size-4" />}>
        The server is version {serverVersion} now; these pages are {__PINCER_VERSION__}.
        <Button size="small" onClick={() => location.reload()}>
          Reload
        </Button>
      </Strip>
    );
  }
  return null;
}

function Strip({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 border-b border-wait/40 bg-wait-soft px-4 py-2 text-sm text-ink"
    >
      {icon}
      {children}
    </div>
  );
}

import { MessageSquare, Plus } from 'lucide-react';
import { type UIEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { LinkButton } from '../../../kit/button.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Check, SearchInput } from '../../../kit/fields.tsx';
import { Skeleton } from '../../../kit/loaded.tsx';
import { VirtualList } from '../../../kit/virtual-list.tsx';
import { SessionRow } from './session-row.tsx';
import { useSessions } from './use-sessions.ts';

const ROW_PX = 56;
/** Where the list was left, for as long as the page is there. */
let lastTop = 0;
let lastText = '';

/** All conversations: which one works, waits for somebody, is done. */
export function SessionList({ openId }: { readonly openId: string | undefined }) {
  const [text, setText] = useState(lastText);
  const [hasClosed, setHasClosed] = useState(false);
  lastText = text;
  const { sessions, loadMore, isPending, error, refetch } = useSessions({ text, hasClosed });
  const box = useRef<HTMLDivElement>(null);
  const isEmpty = sessions.length === 0;
  useLayoutEffect(() => {
    const list = box.current?.querySelector('section');
    if (list && !isEmpty) list.scrollTop = lastTop;
  }, [isEmpty]);
  const keepTop = useCallback((event: UIEvent<HTMLDivElement>) => {
    lastTop = (event.target as HTMLElement).scrollTop;
  }, []);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="space-y-2 p-3">
        <div className="flex items-center justify-between gap-2">
          <h1 className="text-lg font-semibold">Chats</h1>
          <LinkButton to="/chat/new" kind="primary" size="small" icon={Plus}>
            New chat
          </LinkButton>
        </div>
        <SearchInput label="Search chats" value={text} onChange={setText} />
      </div>
      <div ref={box} onScrollCapture={keepTop} className="flex min-h-0 flex-1 flex-col">
        {error === null ? null : (
          <div className="px-3">
            <ErrorNote error={error} isStale={!isEmpty} onRetry={() => void refetch()} />
          </div>
        )}
        {isPending && error === null ? <Skeleton rows={6} /> : null}
        {isEmpty && !isPending && error === null ? (
          <NoSessions isSearch={text.trim() !== ''} />
        ) : null}
        {isEmpty ? null : (
          <VirtualList
            label="Chats"
            items={sessions}
            keyOf={({ session_id: id }) => id}
            rowHeight={ROW_PX}
            onEnd={loadMore}
            className="min-h-0 flex-1 rounded-none! border-0! bg-transparent! pb-4"
          >
            {(session) => <SessionRow session={session} isOpen={session.session_id === openId} />}
          </VirtualList>
        )}
      </div>
      <div className="border-t border-line px-3 py-1 text-sm text-muted">
        <Check
          label="Closed ones too"
          checked={hasClosed}
          onChange={(event) => setHasClosed(event.target.checked)}
        />
      </div>
    </div>
  );
}

function NoSessions({ isSearch }: { readonly isSearch: boolean }) {
  return (
    <div className="px-3">
      {isSearch ? (
        <Empty icon={MessageSquare} title="No chat says that">
          Names and messages were looked through. Try fewer letters, or look among the closed ones.
        </Empty>
      ) : (
        <Empty icon={MessageSquare} title="No chats yet">
          Write a message, and it is the first.
        </Empty>
      )}
    </div>
  );
}

import { useLocation, useRoute } from 'wouter';
import { classNames } from '../../kit/class-names.ts';
import { useShortcut } from '../../kit/shortcuts.ts';
import { Conversation } from './conversation.tsx';
import { NewChat } from './new-chat.tsx';
import { SessionList } from './sessions/session-list.tsx';

/** Conversations beside the one that is open. On a phone one of the two: the address says which. */
export function ChatPage() {
  const [, params] = useRoute('/chat/:sessionId?');
  const [, navigate] = useLocation();
  useShortcut('n', 'New chat', () => navigate('/chat/new'));
  const sessionId = params?.sessionId;
  const isList = sessionId === undefined;
  const openId = sessionId === 'new' ? undefined : sessionId;
  return (
    <div className="flex h-full min-h-0">
      <aside
        aria-label="Chats"
        className={classNames(
          'w-full shrink-0 flex-col border-line bg-surface md:flex md:w-72 md:border-r',
          isList ? 'flex' : 'hidden',
        )}
      >
        <SessionList openId={openId} />
      </aside>
      <div className={classNames('min-w-0 flex-1 md:block', isList ? 'hidden' : 'block')}>
        {openId === undefined ? <NewChat /> : <Conversation key={openId} sessionId={openId} />}
      </div>
    </div>
  );
}

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { keep, readKept } from '../../api/kept.ts';
import { useTitle } from '../../kit/page.tsx';
import { AgentChoice, DEFAULT_AGENT } from './composer/agent-choice.tsx';
import { Composer } from './composer/composer.tsx';
import { OutgoingView } from './composer/outgoing-view.tsx';
import { newChat, post } from './outbox.ts';

const AGENT_KEY = 'chat.agent';

/** A conversation that is begun by its first message. */
export function NewChat() {
  useTitle('New chat');
  const [agentId, setAgentId] = useState(() => readKept(AGENT_KEY) ?? DEFAULT_AGENT);
  const [, navigate] = useLocation();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const open = (sessionId: string) => {
    // Whoever went elsewhere meanwhile stays there.
    if (isShown.current) navigate(`/chat/${sessionId}`, { replace: true });
  };
  const choose = (id: string) => {
    keep(AGENT_KEY, id);
    setAgentId(id);
  };
  return (
    <div className="flex h-full flex-col">
      <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto">
        <div className="mx-auto w-full max-w-[46rem] space-y-6 px-4 py-8 sm:px-6">
          <div>
            <h2 className="text-2xl font-semibold tracking-tight">What shall be done?</h2>
            <p className="mt-1 text-muted">
              Everything an agent does here is a run: it goes on when you leave, and it asks before
              it does what you want to be asked about.
            </p>
          </div>
          <OutgoingView place={undefined} isShown={() => false} onSent={open} />
        </div>
      </div>
      <Composer
        draft="chat.new"
        isBusy={false}
        onSend={(text) => {
          post({ to: newChat(), agentId, text }).then(
            ({ sessionId }) => open(sessionId),
            () => {},
          );
        }}
      >
        <AgentChoice value={agentId} onChange={choose} />
      </Composer>
    </div>
  );
}

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { keep, readKept } from '../../api/kept.ts';
import { newRoom, openChat, post } from '../../api/outbox.ts';
import { useTitle } from '../../kit/page.tsx';
import { AgentChoice, DEFAULT_AGENT } from './composer/agent-choice.tsx';
import { Composer } from './composer/composer.tsx';
import { OutgoingView } from './composer/outgoing-view.tsx';
import { AllChats } from './conversation-head.tsx';
import { VoiceButton } from './voice/voice-button.tsx';

const AGENT_KEY = 'chat.agent';
const DRAFT_KEY = 'draft.chat.new';

const BEGINNINGS = [
  'What can you do here, and what may you not?',
  'List the files of the workspace and say what they are for.',
  'Remember that I like short answers.',
];

/** A conversation that is begun by its first message. */
export function NewChat() {
  useTitle('New chat');
  const [agentId, setAgentId] = useState(() => readKept(AGENT_KEY) ?? DEFAULT_AGENT);
  const [, navigate] = useLocation();
  // However often it is tried, by voice or in writing, it is one conversation.
  const [roomId] = useState(newRoom);
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
  // The composer reads its draft when it is made.
  const [begun, setBegun] = useState(0);
  const write = (text: string) => {
    const typed = readKept(DRAFT_KEY) ?? '';
    keep(DRAFT_KEY, typed.trim() === '' ? text : `${typed.trimEnd()}\n${text}`);
    setBegun(begun + 1);
  };
  const choose = (id: string) => {
    keep(AGENT_KEY, id);
    setAgentId(id);
  };
  return (
    <div className="flex h-full flex-col">
      <div className="px-3 pt-2">
        <AllChats />
      </div>
      <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto">
        <div className="mx-auto w-full max-w-[46rem] space-y-6 px-4 py-8 sm:px-6">
          <div>
            <h2 className="text-2xl font-semibold tracking-tight">What shall be done?</h2>
            <p className="mt-1 text-muted">
              It goes on when you leave, survives a restart, and asks before it does what you want
              to be asked about.
            </p>
          </div>
          <Beginnings onChoose={write} />
          <OutgoingView place={undefined} isShown={() => false} onSent={open} />
        </div>
      </div>
      <Composer
        key={begun}
        draft="chat.new"
        isBusy={false}
        onSend={(text) => {
          post({ to: { kind: 'new', roomId }, agentId, text }).catch(() => {});
        }}
      >
        <AgentChoice value={agentId} onChange={choose} />
        <VoiceButton
          agentId={agentId}
          openSession={() => openChat(roomId, agentId)}
          onHeard={open}
        />
      </Composer>
    </div>
  );
}

/** For whoever is here for the first time. */
function Beginnings({ onChoose }: { readonly onChoose: (text: string) => void }) {
  return (
    <ul aria-label="Ways to begin" className="flex flex-wrap gap-2">
      {BEGINNINGS.map((text) => (
        <li key={text}>
          <button
            type="button"
            onClick={() => onChoose(text)}
            className="rounded-full border border-line bg-surface px-3 py-1.5 text-left text-sm text-muted hover:bg-sunken hover:text-ink"
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

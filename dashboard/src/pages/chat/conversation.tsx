import { useCallback, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { cancelRun, steerRun } from '../../../../src/operations/runs/runs.ts';
import type { SeenSessionShape } from '../../../../src/operations/sessions/session-shapes.ts';
import { forkSession, getSession } from '../../../../src/operations/sessions/sessions.ts';
import { client } from '../../api/client.ts';
import { forkBefore, isFor, outbox, post } from '../../api/outbox.ts';
import { useStore } from '../../api/store.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { LinkButton } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { useTitle } from '../../kit/page.tsx';
import { useShortcut } from '../../kit/shortcuts.ts';
import { toast, toastError } from '../../kit/toasts.tsx';
import { useExactSearch } from '../../kit/use-exact-params.ts';
import { Composer } from './composer/composer.tsx';
import { OutgoingView } from './composer/outgoing-view.tsx';
import { ConversationHead } from './conversation-head.tsx';
import { SESSION_STATES } from './sessions/session-state.ts';
import type { ExchangeActions } from './transcript/exchange-view.tsx';
import { lateIdOf, noteSentLate } from './transcript/sent-late.ts';
import { TranscriptView } from './transcript/transcript-view.tsx';
import { type Transcript, useTranscript } from './transcript/use-transcript.ts';
import { VoiceButton } from './voice/voice-button.tsx';

/** Where the runs of a product speak, each with many messages. */
const THREAD = 'thread';

/** One conversation, whole: what was said, what goes on, and where one writes. */
export function Conversation({ sessionId }: { readonly sessionId: string }) {
  const { data: session, error } = useRead(getSession, { params: { session_id: sessionId } });
  const isKnown = session?.session_id === sessionId;
  const transcript = useTranscript(sessionId, isKnown && session.channel === THREAD);
  useTitle(isKnown && session.title !== '' ? session.title : 'Chat');
  if (!isKnown && error !== null) return <NoConversation error={error} />;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <ConversationHead session={isKnown ? session : undefined} />
      <Said sessionId={sessionId} transcript={transcript} session={isKnown ? session : undefined} />
    </div>
  );
}

function NoConversation({ error }: { readonly error: Error }) {
  return (
    <div className="mx-auto max-w-[46rem] p-6">
      <ErrorNote error={error} />
      <LinkButton to="/chat/new">New chat</LinkButton>
    </div>
  );
}

interface SaidProps {
  readonly sessionId: string;
  readonly session: SeenSessionShape | undefined;
  readonly transcript: Transcript;
}

function Said({ sessionId, session, transcript }: SaidProps) {
  const agentId = session?.agent_id;
  const at = Number(new URLSearchParams(useExactSearch()).get('at') ?? Number.NaN);
  const { exchanges, refresh } = transcript;
  const actions = useActions(sessionId, { agentId, refresh });
  const current = exchanges.find(({ isOver }) => !isOver);
  const isSending = useStore(outbox).some(
    (entry) => isFor(entry, sessionId) && entry.state === 'sending',
  );
  const cancel = useWrite(cancelRun, { changes: ['sessions'] });
  const runId = current?.runId;
  const stop =
    runId === undefined
      ? undefined
      : () => cancel.mutate({ params: { run_id: runId }, body: {} }, { onError: toastError });
  useShortcut('Escape', 'Stop the answer', () => {
    // It closes what is open first.
    if (document.querySelector('[popover]:popover-open') === null) stop?.();
  });
  const tell =
    runId === undefined
      ? undefined
      : async (message: string, key: string) => {
          const headers = { 'idempotency-key': key };
          const input = { params: { run_id: runId }, headers, body: { message } };
          await client.call(steerRun, input);
          refresh();
        };
  const isShown = (id: string) => exchanges.some((exchange) => exchange.runId === id);
  const send = (text: string) => {
    if (agentId === undefined) return;
    post({ to: { kind: 'session', sessionId }, agentId, text }).catch(() => {});
  };
  return (
    <>
      <TranscriptView
        sessionId={sessionId}
        transcript={transcript}
        actions={actions}
        at={Number.isNaN(at) ? undefined : at}
      >
        <OutgoingView place={sessionId} isShown={isShown} onSent={refresh} />
      </TranscriptView>
      <p role="status" className="sr-only">
        {session === undefined ? '' : `This chat: ${SESSION_STATES[session.state][1]}`}
      </p>
      {session?.closed_at ? (
        <p className="border-t border-line p-4 text-center text-sm text-muted">
          This chat is closed. Fork it to go on from here.
        </p>
      ) : (
        <Composer
          draft={`chat.${sessionId}`}
          isBusy={current !== undefined || isSending}
          isReady={agentId !== undefined}
          onSend={send}
          onStop={stop}
          onTell={tell}
        >
          {agentId === undefined ? null : (
            <VoiceButton
              agentId={agentId}
              sessionId={sessionId}
              openSession={async () => sessionId}
              onHeard={refresh}
            />
          )}
        </Composer>
      )}
    </>
  );
}

interface ActionDeps {
  readonly agentId: string | undefined;
  readonly refresh: () => void;
}

function useActions(sessionId: string, { agentId, refresh }: ActionDeps): ExchangeActions {
  const [, navigate] = useLocation();
  const sendInFork = useCallback(
    async (exchange: number, text: string) => {
      if (agentId === undefined) return;
      const to = forkBefore(sessionId, exchange);
      const sent = await post({ to, agentId, text });
      navigate(`/chat/${sent.sessionId}`);
      toast('Goes on in a fork; the chat before stays as it was.');
    },
    [sessionId, agentId, navigate],
  );
  // Pressed twice is meant once: each would be a message of its own, and cost as much.
  const isUnderWay = useRef(false);
  const once = useCallback((deed: () => Promise<unknown>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    void deed()
      .catch(toastError)
      .finally(() => {
        isUnderWay.current = false;
      });
  }, []);
  return useMemo(
    () => ({
      canAsk: agentId !== undefined,
      edit: ({ number }, text) => sendInFork(number, text),
      retry({ number, question = '' }, isFork) {
        if (agentId === undefined) return;
        const to = { kind: 'session', sessionId } as const;
        once(() =>
          isFork
            ? sendInFork(number, question)
            : post({ to, agentId, text: question }).then(refresh),
        );
      },
      fork({ number }) {
        const input = { params: { session_id: sessionId }, body: { through_exchange: number } };
        once(async () => {
          const { session_id: forked } = await client.call(forkSession, input);
          navigate(`/chat/${forked}`);
          toast('This is the fork.');
        });
      },
      sendLate({ runId = '' }, { key, text }) {
        if (agentId === undefined) return;
        const to = { kind: 'session', sessionId } as const;
        const id = lateIdOf(runId, key);
        once(() => {
          noteSentLate(id);
          return post({ to, agentId, text }, id).then(refresh);
        });
      },
      end: refresh,
    }),
    [sessionId, agentId, sendInFork, refresh, navigate, once],
  );
}

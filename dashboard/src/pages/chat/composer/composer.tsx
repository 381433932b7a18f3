import { ArrowUp, ListPlus, Square } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useDraft } from '../../../api/use-draft.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { LateNote } from './late-note.tsx';
import { useTelling } from './use-telling.ts';

interface ComposerProps {
  /** One draft for each conversation. */
  readonly draft: string;
  /** Whether an answer is being worked on, or waits for somebody. */
  readonly isBusy: boolean;
  /** False while nobody knows yet whom it would go to: what is written stays. */
  readonly isReady?: boolean;
  readonly onSend: (text: string) => void;
  /** Undefined when there is nothing to stop. */
  readonly onStop?: (() => void) | undefined;
  /** Says it to what goes on, under a key that makes it one message however often it is sent. Undefined: nothing does. */
  readonly onTell?: ((text: string, key: string) => Promise<void>) | undefined;
  /** Beside the send button. */
  readonly children?: ReactNode;
}

/** Where one writes. Enter sends, Shift and Enter is another line, Control and Enter tells it now, Escape stops it. */
export function Composer(props: ComposerProps) {
  const { draft, isBusy, isReady = true, onSend, onStop, onTell, children } = props;
  const [text, setText] = useDraft(draft);
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '' || !isReady;
  const telling = useTelling({ text, onTell, onTold: () => setText('') });
  const canSend = !isEmpty && !telling.isBeingTold;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is open now
  useEffect(() => {
    // On a phone the keyboard would cover what is read.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, [draft]);
  const send = () => {
    if (!canSend) return;
    onSend(text);
    setText('');
    field.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    // Keys that choose among signs of a script are not for us.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onStop?.();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    if ((event.ctrlKey || event.metaKey) && telling.tell) telling.tell();
    else send();
  };
  return (
    <div className="mx-auto w-full max-w-[46rem] px-3 pb-3 sm:px-6">
      {telling.isLate && !isEmpty ? <LateNote onSend={send} /> : null}
      <div className="rounded-xl border border-line-strong/60 bg-surface shadow-sm focus-within:border-accent">
        <textarea
          ref={field}
          aria-label="Your message"
          placeholder={isBusy ? 'Write what comes next…' : 'Write a message…'}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          className="field-sizing-content block max-h-[40dvh] min-h-11 w-full resize-none rounded-xl bg-transparent px-3.5 pt-3 pb-1 text-base outline-none placeholder:text-muted sm:text-[0.9375rem]"
        />
        <div className="flex flex-wrap items-center gap-1 px-2 pb-2">
          {children}
          <span className="min-w-0 flex-1" />
          {isBusy && onStop !== undefined ? (
            <StopButtons canSend={canSend} onStop={onStop} onSend={send} />
          ) : null}
          {isBusy && telling.tell && !isEmpty ? (
            <Button
              size="small"
              title="It reads this before its next step; nothing is stopped (Ctrl+Enter)"
              isBusy={telling.isTelling}
              onClick={telling.tell}
            >
              Tell it now
            </Button>
          ) : null}
          {isBusy ? (
            <IconButton
              kind="primary"
              label="Queue: it is answered next"
              icon={ListPlus}
              disabled={!canSend}
              onClick={send}
            />
          ) : (
            <IconButton
              kind="primary"
              label="Send"
              icon={ArrowUp}
              disabled={!canSend}
              onClick={send}
            />
          )}
        </div>
      </div>
      <p className="mt-1 hidden px-2 text-xs text-muted sm:block">
        {isBusy
          ? 'Enter queues it to be answered next, Ctrl+Enter tells it now, Escape stops the answer.'
          : 'Enter sends, Shift+Enter is another line.'}
      </p>
    </div>
  );
}

interface StopButtonsProps {
  readonly canSend: boolean;
  readonly onStop: () => void;
  readonly onSend: () => void;
}

function StopButtons({ canSend, onStop, onSend }: StopButtonsProps) {
  return (
    <>
      {canSend ? (
        <Button
          size="small"
          kind="quiet"
          title="Stops the answer, and answers this instead"
          onClick={() => {
            onSend();
            onStop();
          }}
        >
          Stop and send
        </Button>
      ) : null}
      <IconButton kind="plain" label="Stop the answer" icon={Square} onClick={onStop} />
    </>
  );
}

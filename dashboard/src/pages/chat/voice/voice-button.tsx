import { Mic, Square, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../../kit/button.tsx';
import { toastError } from '../../../kit/toasts.tsx';
import { explainVoice, speak } from './speak.ts';
import { useRecorder } from './use-recorder.ts';

interface VoiceButtonProps {
  readonly agentId: string;
  /** The conversation that is spoken in; it may have to be begun. */
  readonly openSession: () => Promise<string>;
  /** It was understood: the conversation has a message more. */
  readonly onHeard: (sessionId: string) => void;
}

/** Speak instead of writing, and hear the answer. */
export function VoiceButton({ agentId, openSession, onHeard }: VoiceButtonProps) {
  const [isSending, setIsSending] = useState(false);
  const [spoken, setSpoken] = useState<string>();
  const end = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    end.current = controller;
    return () => controller.abort();
  }, []);
  const send = async (recording: Blob) => {
    setIsSending(true);
    setSpoken(undefined);
    const { signal } = end.current;
    try {
      const sessionId = await openSession();
      for await (const step of speak(recording, { agentId, sessionId, signal })) {
        if (step.step === 'spoken') setSpoken(step.url);
        else onHeard(step.sessionId);
      }
    } catch (error) {
      // Who went elsewhere finds the answer in the conversation.
      if (!signal.aborted) toastError(explainVoice(error));
    } finally {
      setIsSending(false);
    }
  };
  const recorder = useRecorder((recording) => void send(recording));
  if (recorder.isRecording) {
    return (
      <div role="status" className="flex items-center gap-1">
        <Button size="small" kind="danger" icon={Square} onClick={recorder.stop}>
          Listening… send
        </Button>
        <IconButton
          label="Forget the recording"
          icon={X}
          size="smallIcon"
          onClick={recorder.cancel}
        />
      </div>
    );
  }
  return (
    <>
      <IconButton
        label={isSending ? 'The recording is being answered' : 'Speak'}
        icon={Mic}
        disabled={isSending}
        onClick={() => void recorder.start().catch(toastError)}
      />
      {spoken === undefined ? null : (
        // biome-ignore lint/a11y/useMediaCaption: the words stand in the conversation
        <audio
          src={spoken}
          controls
          autoPlay
          aria-label="The answer, spoken"
          className="h-8 max-w-52"
        />
      )}
    </>
  );
}

import { Mic, RotateCcw, Square, X } from 'lucide-react';
import { useStore } from '../../../api/store.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { toastError } from '../../../kit/toasts.tsx';
import { forgetUnsent, sendRecording, spoken } from './send-recording.ts';
import { useRecorder } from './use-recorder.ts';

interface VoiceButtonProps {
  readonly agentId: string;
  /** Undefined: the conversation is not begun. */
  readonly sessionId?: string;
  readonly openSession: () => Promise<string>;
  readonly onHeard: (sessionId: string) => void;
}

/** Speak instead of writing, and hear the answer. */
export function VoiceButton({ agentId, sessionId, openSession, onHeard }: VoiceButtonProps) {
  const { isSending, answer, unsent } = useStore(spoken);
  const options = { agentId, place: sessionId, openSession, onHeard };
  const recorder = useRecorder((recording) => void sendRecording(recording, options));
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
      {unsent === undefined || unsent.place !== sessionId ? null : (
        <>
          <Button
            size="small"
            icon={RotateCcw}
            onClick={() => void sendRecording(unsent.recording, options, unsent.key)}
          >
            Send the recording again
          </Button>
          <IconButton
            label="Forget the recording"
            icon={X}
            size="smallIcon"
            onClick={forgetUnsent}
          />
        </>
      )}
      {answer === undefined || answer.sessionId !== sessionId ? null : (
        // biome-ignore lint/a11y/useMediaCaption: the words stand in the conversation
        <audio
          src={answer.url}
          controls
          autoPlay
          aria-label="The answer, spoken"
          className="h-8 max-w-52"
        />
      )}
    </>
  );
}

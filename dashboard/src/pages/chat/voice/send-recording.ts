import { createStore } from '../../../api/store.ts';
import { toastError } from '../../../kit/toasts.tsx';
import { explainVoice, speak } from './speak.ts';

/** What became of the last recording. It outlives the button: a first recording leads to another page. */
interface Spoken {
  readonly isSending: boolean;
  /** Where the answer is heard, and in which conversation. */
  readonly answer?: { readonly sessionId: string; readonly url: string };
}

export const spoken = createStore<Spoken>({ isSending: false });

interface RecordingOptions {
  readonly agentId: string;
  /** The conversation that is spoken in; it may have to be begun. */
  readonly openSession: () => Promise<string>;
  /** It was understood: the conversation has a message more. */
  readonly onHeard: (sessionId: string) => void;
}

/** Until its answer is spoken, or it failed; then somebody is told why. The server bounds how long that takes. */
export async function sendRecording(recording: Blob, options: RecordingOptions): Promise<void> {
  spoken.set({ isSending: true });
  try {
    const sessionId = await options.openSession();
    for await (const step of speak(recording, { agentId: options.agentId, sessionId })) {
      if (step.step === 'heard') options.onHeard(step.sessionId);
      else spoken.set({ isSending: true, answer: { sessionId, url: step.url } });
    }
  } catch (error) {
    toastError(explainVoice(error));
  } finally {
    spoken.set({ ...spoken.get(), isSending: false });
  }
}

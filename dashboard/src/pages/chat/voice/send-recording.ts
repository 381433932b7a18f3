import { createStore } from '../../../api/store.ts';
import { toastError } from '../../../kit/toasts.tsx';
import { explainVoice, speak } from './speak.ts';

/** What became of the last recording. It outlives the button: a first recording leads to another page. */
interface Spoken {
  readonly isSending: boolean;
  /** Where the answer is heard, and in which conversation. */
  readonly answer?: { readonly sessionId: string; readonly url: string };
  readonly unsent?: Unsent;
}

/** A recording that did not arrive, or was not understood: nobody should have to say it again. */
interface Unsent {
  readonly recording: Blob;
  readonly key: string;
  /** The conversation it was spoken in; undefined: one that was not begun. */
  readonly place: string | undefined;
}

export const spoken = createStore<Spoken>({ isSending: false });

interface RecordingOptions {
  readonly agentId: string;
  readonly place: string | undefined;
  /** The conversation that is spoken in; it may have to be begun. */
  readonly openSession: () => Promise<string>;
  /** It was understood: the conversation has a message more. */
  readonly onHeard: (sessionId: string) => void;
}

/** Until its answer is spoken, or it failed; then somebody is told why, and what was not heard is kept. */
export async function sendRecording(
  recording: Blob,
  options: RecordingOptions,
  key: string = crypto.randomUUID(),
): Promise<void> {
  const { agentId, place, openSession, onHeard } = options;
  let isHeard = false;
  spoken.set({ isSending: true });
  try {
    const sessionId = await openSession();
    for await (const step of speak(recording, { agentId, sessionId, key })) {
      if (step.step === 'heard') {
        isHeard = true;
        onHeard(step.sessionId);
      } else spoken.set({ isSending: true, answer: { sessionId, url: step.url } });
    }
  } catch (error) {
    toastError(explainVoice(error));
    if (!isHeard) spoken.set({ isSending: true, unsent: { recording, key, place } });
  } finally {
    spoken.set({ ...spoken.get(), isSending: false });
  }
}

export function forgetUnsent(): void {
  const { unsent: _, ...rest } = spoken.get();
  spoken.set(rest);
}

import { RuntimeError } from '../../../../../src/core/errors.ts';
import { encodeRequest } from '../../../../../src/operations/client.ts';
import { parseEventStream } from '../../../../../src/operations/parse-event-stream.ts';
import { processVoice } from '../../../../../src/operations/voice/voice.ts';
import { decodeWireError } from '../../../../../src/operations/wire-error.ts';
import { readBytes } from '../../../api/read-bytes.ts';
import { ask, Unreachable } from '../../../api/send.ts';
import { watchSilence } from '../../../api/watch-silence.ts';

/** What became of a recording, as it happens. */
export type VoiceStep =
  | { readonly step: 'heard'; readonly transcript: string; readonly sessionId: string }
  | { readonly step: 'spoken'; readonly url: string };

interface SpeakOptions {
  readonly agentId: string;
  readonly sessionId: string;
  /** Sent twice under the same, it is one message. */
  readonly key: string;
}

/** Longer than it takes to understand two minutes of speech; then the server says every 15 seconds that it is there. */
const PATIENCE = { firstMs: 5 * 60_000, laterMs: 40_000 };

/** Sends a recording to an agent: first comes what was understood, at last where its answer can be heard. */
export async function* speak(
  recording: Blob,
  { agentId, sessionId, key }: SpeakOptions,
): AsyncGenerator<VoiceStep> {
  const body = {
    agent_id: agentId,
    session_id: sessionId,
    audio_base64: await toBase64(recording),
  };
  const request = encodeRequest(processVoice, {
    headers: { 'idempotency-key': key },
    query: {},
    body,
  });
  const headers = { ...request.headers, accept: 'text/event-stream' };
  const silence = watchSilence(PATIENCE);
  try {
    const response = await ask({ ...request, headers }, silence.signal);
    for await (const frames of parseEventStream(readBytes(response, silence.hear))) {
      for (const { event, data } of frames) {
        const step = decodeStep(event, JSON.parse(data));
        if (step !== undefined) yield step;
      }
    }
  } catch (error) {
    throw silence.signal.aborted ? new Unreachable(error) : error;
  } finally {
    silence.stop();
  }
}

/** After an error nothing follows; its body says what any other answer would. */
const STREAM_ERROR_STATUS = 500;

function decodeStep(event: string, data: Readonly<Record<string, unknown>>): VoiceStep | undefined {
  if (event === 'error') throw decodeWireError(STREAM_ERROR_STATUS, data);
  if (event === 'transcript') {
    return {
      step: 'heard',
      transcript: String(data['transcript']),
      sessionId: String(data['session_id']),
    };
  }
  const url = data['tts_audio_url'];
  if (event !== 'audio' || typeof url !== 'string') return undefined;
  // Only what this server keeps is ever played.
  return url.startsWith('/api/voice/output/') ? { step: 'spoken', url } : undefined;
}

async function toBase64(recording: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(recording);
  return (await read).replace(/^[^,]*,/, '');
}

/** With what to do about it, for whoever can. */
export function explainVoice(error: unknown): unknown {
  if (!(error instanceof RuntimeError) || error.code !== 'provider_misconfigured') return error;
  return new Error(
    `${error.message}. Run "claw voice install" on the server for speech that stays there, or name providers under Settings.`,
  );
}

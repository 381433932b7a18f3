import type { JsonObject } from '../../core/json.ts';
import type { SpokenAudio } from '../../core/voice/audio.ts';
import { failed, requestSpeech, type SpeechService } from './request-speech.ts';

interface SpeakRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly signal: AbortSignal;
}

/** Ten minutes at 320 kbit/s. */
const MAX_SPEECH_BYTES = 24 * 1024 * 1024;

/** Speech that a provider makes. What is no MP3 is a fault: it would be served as one. */
export async function toMp3(
  service: SpeechService,
  { path, headers, body, signal }: SpeakRequest,
): Promise<SpokenAudio> {
  const bytes = await requestSpeech(service, {
    path,
    headers: { 'content-type': 'application/json', accept: 'audio/mpeg', ...headers },
    body: JSON.stringify(body),
    maxAnswerBytes: MAX_SPEECH_BYTES,
    signal,
  });
  if (!isMp3(bytes)) throw failed(`${service.name} sent an answer that is no MP3`);
  return { bytes, format: 'mp3' };
}

/** An ID3 tag, or the mark that every frame begins with. */
function isMp3(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  const isTag = first === 0x49 && second === 0x44 && third === 0x33;
  return isTag || (first === 0xff && (second & 0xe0) === 0xe0);
}

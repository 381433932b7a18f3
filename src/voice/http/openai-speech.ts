import { isJsonObject } from '../../core/json.ts';
import { AUDIO_FORMATS } from '../../core/voice/audio.ts';
import type { Speaker, Transcriber } from '../../core/voice/speech.ts';
import { failed, parseJson, requestSpeech, type SpeechService } from './request-speech.ts';
import { toMp3 } from './to-mp3.ts';

/** Names that agents carry for other providers are none of these. */
const VOICES: readonly string[] = [
  ...['alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'fable', 'marin', 'nova', 'onyx'],
  ...['sage', 'shimmer', 'verse'],
];

/** Two minutes of speech, many times over. */
const MAX_TRANSCRIPT_BYTES = 1024 * 1024;

export function createOpenAiTranscriber(service: SpeechService, model: string): Transcriber {
  return {
    async transcribe({ bytes, format }, signal) {
      const form = new FormData();
      const { mediaType: type } = AUDIO_FORMATS[format];
      form.append('file', new Blob([new Uint8Array(bytes)], { type }), `audio.${format}`);
      form.append('model', model);
      form.append('response_format', 'json');
      const answer = parseJson(
        await requestSpeech(service, {
          path: '/audio/transcriptions',
          headers: { authorization: `Bearer ${service.key.value}` },
          body: form,
          maxAnswerBytes: MAX_TRANSCRIPT_BYTES,
          signal,
        }),
      );
      const text = isJsonObject(answer) ? answer['text'] : undefined;
      if (typeof text !== 'string') throw failed(`${service.name} sent an answer without a text`);
      return text;
    },
  };
}

export interface OpenAiVoice {
  readonly model: string;
  /** As it was asked for, by whoever. */
  readonly voice: string | undefined;
  readonly usualVoice: string;
}

export function createOpenAiSpeaker(
  service: SpeechService,
  { model, voice: wanted, usualVoice }: OpenAiVoice,
): Speaker {
  const voice = wanted !== undefined && VOICES.includes(wanted) ? wanted : usualVoice;
  return {
    speak: (text, signal) =>
      toMp3(service, {
        path: '/audio/speech',
        headers: { authorization: `Bearer ${service.key.value}` },
        body: { model, voice, input: text, response_format: 'mp3' },
        signal,
      }),
  };
}

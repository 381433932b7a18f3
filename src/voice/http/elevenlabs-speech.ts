import type { Speaker } from '../../core/voice/speech.ts';
import type { SpeechService } from './request-speech.ts';
import { toMp3 } from './to-mp3.ts';

export interface ElevenLabsVoice {
  readonly model: string;
  readonly voice: string;
}

export function createElevenLabsSpeaker(
  service: SpeechService,
  { model, voice }: ElevenLabsVoice,
): Speaker {
  return {
    speak: (text, signal) =>
      toMp3(service, {
        path: `/v1/text-to-speech/${encodeURIComponent(voice)}?output_format=mp3_44100_128`,
        headers: { 'xi-api-key': service.key.value },
        body: { text, model_id: model },
        signal,
      }),
  };
}

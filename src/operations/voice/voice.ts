import type { Voice } from '../../core/voice/voice.ts';
import { answer, audio, declarationsWith } from '../operation.ts';

export interface VoiceSpeaking {
  readonly voice: Voice;
}

const define = declarationsWith(() => import('./voice-shapes.ts'));

/** Only HTTP serves it: a recording may be the body, and the answer may be a stream. */
export const processVoice = define({
  name: 'voice.process',
  method: 'POST',
  path: '/api/voice/process',
  effect: 'write',
  isRepeatable: 'by_key',
  summary: 'Speak to an agent and hear its answer',
  description:
    'Turns a recording into words, gives them to the agent as a run of its session, and reads the answer out. Takes ' +
    'JSON, multipart/form-data with a file named audio, or the recording itself as audio/* with the rest in the ' +
    'query. With Accept: text/event-stream the steps come as they happen: transcript, delta, restart, answer, ' +
    'audio, done, or error.',
  tags: ['voice'],
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503, 504],
  wire: ({ voiceHeaders, voiceQuery, voiceBody, voiceAnswer }) => ({
    headers: voiceHeaders,
    query: voiceQuery,
    body: voiceBody,
    answers: {
      200: answer('What was heard, what the agent said, and where to hear it.', voiceAnswer),
    },
  }),
});

export const readSpoken = define({
  name: 'voice.output',
  method: 'GET',
  path: '/api/voice/output/:file',
  effect: 'read',
  summary: 'Fetch a spoken answer',
  description:
    'The audio, whole or the range that is asked for (then 206). Kept for `voice.output_max_age_ms`.',
  tags: ['voice'],
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ outputParams, spokenAnswer }) => ({
    params: outputParams,
    answers: { 200: audio('An MP3 or WAV file.', spokenAnswer) },
  }),
});

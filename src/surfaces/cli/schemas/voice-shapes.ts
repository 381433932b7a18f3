import { z } from 'zod';
import { type AnswerShapes, count } from './answer-fields.ts';

const via = z.literal('local');

const provider = z.object({
  provider: z.string(),
  ready: z.boolean(),
  next_step: z.string().nullable(),
});

export const VOICE_SHAPES: AnswerShapes = {
  'voice install': z.object({ installed: z.boolean(), folder: z.string(), via }),
  'voice status': z.object({
    stt: provider,
    tts: provider,
    local: z.object({
      state: z.enum(['installed', 'missing', 'damaged', 'outdated']),
      folder: z.string(),
    }),
    via,
  }),
  'voice say': z.object({
    file: z.string(),
    format: z.enum(['mp3', 'wav']),
    bytes: count,
    via,
  }),
  'voice listen': z.object({
    transcript: z.string(),
    format: z.enum(['wav', 'webm', 'ogg', 'mp3', 'm4a']),
    duration_ms: count,
    via,
  }),
};

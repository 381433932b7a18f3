import { z } from 'zod';
import { DEFAULT_PROJECT_ID } from '../../core/projects/project-id.ts';
import { MAX_AUDIO_BYTES } from '../../core/voice/audio.ts';
import { agentId, projectId, storable } from '../fields.ts';
import { createRunHeaders, sessionId } from '../runs/run-shapes.ts';

/** As for any run. */
export const voiceHeaders = createRunHeaders;

const MAX_VOICE_ID_CHARS = 128;

const spokenTo = {
  agent_id: agentId.meta({ description: 'Who is spoken to.' }),
  project_id: projectId.prefault(DEFAULT_PROJECT_ID).meta({
    description: 'What the work counts for.',
  }),
  voice_id: storable(MAX_VOICE_ID_CHARS)
    .min(1)
    .optional()
    .meta({ description: "What the provider calls the voice. Absent: the agent's own." }),
  session_id: sessionId.optional().meta({
    description: 'Absent: the conversation by voice that this agent has in this project.',
  }),
};

export const voiceBody = z
  .strictObject({
    ...spokenTo,
    audio_base64: z.string().meta({
      description: `The recording: WAV, WebM, Ogg, MP3 or M4A, at most ${MAX_AUDIO_BYTES} bytes.`,
      contentEncoding: 'base64',
    }),
  })
  .meta({
    examples: [{ agent_id: 'lince', project_id: 'proj_001', audio_base64: 'UklGRiQAAABXQVZF…' }],
  });

/** With a recording as the whole body, the rest is said here. */
export const voiceQuery = z.strictObject({
  agent_id: agentId.optional(),
  project_id: projectId.optional(),
  voice_id: spokenTo.voice_id,
  session_id: spokenTo.session_id,
});

export const voiceAnswer = z
  .object({
    transcript: z.string(),
    agent_response: z.string(),
    tts_audio_url: z
      .string()
      .nullable()
      .meta({ description: 'Null when there was nothing to say.' }),
    run_id: z.string(),
    session_id: z.string(),
  })
  .meta({
    examples: [
      {
        transcript: 'resume project status for today',
        agent_response: 'Current status summary generated',
        tts_audio_url: '/api/voice/output/tts_0b8e2f0c-7f0c-4b7e-9f5e-2d8a6a1f3c4d.mp3',
        run_id: 'run_01jv8z4q0k6c',
        session_id: 'session_01jv8z4q0k6c',
      },
    ],
  });

/** Any text: what is no name of ours is not found. */
export const outputParams = z.object({ file: z.string().min(1).max(256) });

export const spokenAnswer = z.string().meta({ format: 'binary' });

export type VoiceBody = z.infer<typeof voiceBody>;
export type VoiceAnswer = z.infer<typeof voiceAnswer>;

import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { SessionId } from '../../core/ids.ts';
import type { VoiceRequest } from '../../core/voice/voice-request.ts';
import type { VoiceBody } from '../../operations/voice/voice-shapes.ts';

export function decodeVoice(body: VoiceBody, idempotencyKey: string | undefined): VoiceRequest {
  return {
    audio: decodeBase64(body.audio_base64),
    agentId: body.agent_id,
    projectId: body.project_id,
    ...defined({
      voiceId: body.voice_id,
      sessionId: body.session_id as SessionId | undefined,
      idempotencyKey,
    }),
  };
}

/** What browsers put before the base64 of a recording. */
const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w-]+=[\w.,"-]+)*;base64,/i;

/** `atob` and Buffer pass over what they do not know, so what they made is held against what they were given. */
function decodeBase64(text: string): Uint8Array {
  const encoded = text.replace(DATA_URL, '').replace(/={1,2}$/, '');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') === encoded) return bytes;
  throw new RuntimeError('invalid_input', 'audio_base64 is not valid base64', {
    details: { recovery_action: 'Encode the recording as base64 (RFC 4648) and send it again.' },
  });
}

import type { VoiceStep } from '../../core/voice/voice-request.ts';
import type { VoiceAnswer } from './voice-shapes.ts';

/** Gathers steps into the answer. */
export function createVoiceAnswer() {
  let answer: VoiceAnswer = {
    transcript: '',
    agent_response: '',
    tts_audio_url: null,
    run_id: '',
    session_id: '',
  };
  return {
    add(step: VoiceStep): void {
      answer = { ...answer, ...toFields(step) };
    },
    get: () => answer,
  };
}

function toFields(step: VoiceStep): Partial<VoiceAnswer> {
  switch (step.step) {
    case 'heard':
      return { transcript: step.transcript, run_id: step.runId, session_id: step.sessionId };
    case 'answered':
      return { agent_response: step.answer };
    case 'spoken':
      return { tts_audio_url: toUrl(step.file) };
    case 'said':
    case 'restarted':
      return {};
  }
}

/** A step as an event of the stream. */
export function encodeStep(step: VoiceStep): { readonly event: string; readonly data: object } {
  switch (step.step) {
    case 'heard':
      return { event: 'transcript', data: toFields(step) };
    case 'said':
      return { event: 'delta', data: { text: step.text } };
    case 'restarted':
      return { event: 'restart', data: {} };
    case 'answered':
      return { event: 'answer', data: toFields(step) };
    case 'spoken':
      return { event: 'audio', data: toFields(step) };
  }
}

function toUrl(file: string | undefined): string | null {
  return file === undefined ? null : `/api/voice/output/${file}`;
}

import type { SessionId } from '../ids.ts';

export interface VoiceRequest {
  readonly audio: Uint8Array;
  /** By id, slug or name. */
  readonly agentId: string;
  readonly projectId: string;
  /** As the provider calls it; the agent's own when absent. */
  readonly voiceId?: string;
  /** Absent: the conversation by voice that this agent has in this project. */
  readonly sessionId?: SessionId;
  /** The same key with the same recording is the same run. */
  readonly idempotencyKey?: string;
}

export type VoiceStep =
  | {
      readonly step: 'heard';
      readonly transcript: string;
      readonly runId: string;
      readonly sessionId: string;
      readonly replayed: boolean;
    }
  | { readonly step: 'said'; readonly text: string }
  /** What was said in this turn counts no more: the model is asked again. */
  | { readonly step: 'restarted' }
  | { readonly step: 'answered'; readonly answer: string }
  /** No name: there was nothing to read out. */
  | { readonly step: 'spoken'; readonly file: string | undefined };

import type { ModelPart } from '../core/loop/model.ts';
import type { GatewayFacts } from '../core/openclaw/bridge.ts';
import type { AnswerProgress } from './answer-progress.ts';
import type { DeviceIdentity } from './device-identity.ts';
import type { SocketEnd } from './open-socket.ts';

/** A connection on which agents can be asked, in whichever dialect. */
export interface Session {
  readonly facts: GatewayFacts;
  readonly closed: Promise<SocketEnd>;
  /**
   * Has an agent there answer. Throws `ConnectionLost` when the connection goes; then the same question may be asked
   * again on the next one, as a repetition.
   */
  ask(question: Question, asking: Asking): AsyncIterable<ModelPart>;
  close(): void;
}

export interface Question {
  /** The same however often it is asked, and nobody else's: a gateway that knows it does nothing twice. */
  readonly key: string;
  /** The conversation there. */
  readonly sessionKey: string;
  /** The agent there. */
  readonly remoteAgent: string;
  readonly message: string;
  readonly system: string;
  /** The agent here that it is asked for. */
  readonly agent: {
    readonly id: string;
    readonly name: string;
    readonly skills: readonly string[];
    readonly memoryAccess: 'global' | 'private';
  };
  readonly projectId: string;
}

export interface Asking {
  /** Somebody may have sent it before. */
  readonly isRepeat: boolean;
  /** Of this question, on whichever connection. */
  readonly progress: AnswerProgress;
  readonly signal: AbortSignal;
}

export interface Credentials {
  readonly token: string | undefined;
  readonly password: string | undefined;
}

/** What an agent there spent outside of any question that is open here. */
export interface UnclaimedUsage {
  readonly projectId: string;
  readonly agentId: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costUsd: number;
  /** The other side's own id for the report. */
  readonly id: string | undefined;
}

export interface SessionRequest {
  readonly url: string;
  readonly credentials: Credentials;
  readonly identity: DeviceIdentity;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Something came that belongs to no question. */
  readonly onUnclaimed: () => void;
  readonly onUsage: (usage: UnclaimedUsage) => void;
}

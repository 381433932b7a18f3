declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type RunId = Branded<'RunId'>;
export type EventId = Branded<'EventId'>;
export type RequestId = Branded<'RequestId'>;
export type LeaseId = Branded<'LeaseId'>;
export type ArtifactId = Branded<'ArtifactId'>;
export type AgentId = Branded<'AgentId'>;
export type SessionId = Branded<'SessionId'>;
export type ApprovalId = Branded<'ApprovalId'>;
export type JobId = Branded<'JobId'>;
export type MailId = Branded<'MailId'>;
export type WorkerId = Branded<'WorkerId'>;
export type MemoryId = Branded<'MemoryId'>;
export type HandoffId = Branded<'HandoffId'>;
export type FactId = Branded<'FactId'>;
export type SignInId = Branded<'SignInId'>;

export interface Ids {
  run(): RunId;
  event(): EventId;
  request(): RequestId;
  lease(): LeaseId;
  artifact(): ArtifactId;
  approval(): ApprovalId;
  session(): SessionId;
  job(): JobId;
  mail(): MailId;
  worker(): WorkerId;
  memory(): MemoryId;
  handoff(): HandoffId;
  fact(): FactId;
  signIn(): SignInId;
}

/** The agent that exists from the first start. */
export const DEFAULT_AGENT_ID = 'agent_default' as AgentId;

export const AGENT_ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;
export const RUN_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;
export const SESSION_ID_PATTERN = RUN_ID_PATTERN;
export const JOB_ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

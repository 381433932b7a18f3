/** Bounds that an operator sets. Asked at each use: the configuration is live. */
export interface WorkerSettings {
  /** Of one principal, attached at the same time. */
  readonly maxWorkers: number;
  /** Held by this server, whoever has attached them. */
  readonly maxHosted: number;
  /** Open requests of one worker. */
  readonly maxQueuedRequests: number;
  readonly requestTimeoutMs: number;
  readonly heartbeatStaleAfterMs: number;
  /** After the input was closed, and again after SIGTERM. */
  readonly stopGraceMs: number;
  readonly maxEventsPerWorker: number;
  /** Of answers, and of the events of workers that have ended. */
  readonly retentionMs: number;
  /** Of workers that have ended; then nothing of them is left. */
  readonly forgetAfterMs: number;
}

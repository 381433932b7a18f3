/** What the HTTP server needs to know; the composition root fills it from the configuration. */
export interface HttpConfig {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Further `Host` values, `name` or `name:port`, beside loopback names and the bind address. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages that may call us, beside our own. */
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  /** Time to receive a whole request; answers and streams are not limited by it. */
  readonly requestTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxStreams: number;
  /** Take the client's address from the last hop of X-Forwarded-For. */
  readonly trustProxy: boolean;
  readonly rateLimitMax: number;
  readonly rateLimitWindowMs: number;
  /** A caller that has not taken its answer after this long is cut off. */
  readonly answerTimeoutMs: number;
  /** A stream's reader that takes nothing for this long is dropped. */
  readonly streamStallMs: number;
  /** A comment line this often keeps proxies from closing a quiet stream. */
  readonly streamHeartbeatMs: number;
}

export const DEFAULT_HTTP_CONFIG: HttpConfig = {
  host: '127.0.0.1',
  port: 3000,
  allowedHosts: [],
  allowedOrigins: [],
  maxBodyBytes: 1024 * 1024,
  requestTimeoutMs: 30_000,
  maxConnections: 1024,
  maxStreams: 512,
  trustProxy: false,
  rateLimitMax: 600,
  rateLimitWindowMs: 60_000,
  answerTimeoutMs: 60_000,
  streamStallMs: 30_000,
  streamHeartbeatMs: 15_000,
};

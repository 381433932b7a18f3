import type { Logger } from '../core/log.ts';
import type { Tracer } from '../core/telemetry.ts';

export interface TracerOptions {
  /** Whether the environment names a collector; without one nothing is loaded and nothing is measured. */
  readonly enabled: boolean;
  readonly serviceName: string;
  readonly serviceVersion?: string;
  /** What the environment asks traces to be sent by; undefined leaves it to us. */
  readonly protocol?: string | undefined;
  /** Longest wait for the last traces at the end. */
  readonly shutdownMs?: number;
  readonly logger: Logger;
}

export interface TracerHandle {
  readonly tracer: Tracer;
  /** Sends what is left, within a bounded time. Never rejects. */
  shutdown(): Promise<void>;
}

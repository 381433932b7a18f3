import type { Logger } from '../core/log.ts';
import type { Tracer } from '../core/telemetry.ts';

export interface TracerOptions {
  /** Whether the environment names a collector; without one nothing is loaded and nothing is measured. */
  readonly enabled: boolean;
  readonly serviceName: string;
  readonly serviceVersion?: string;
  readonly logger: Logger;
}

export interface TracerHandle {
  readonly tracer: Tracer;
  /** Sends what is left, within a bounded time. Never rejects. */
  shutdown(): Promise<void>;
}

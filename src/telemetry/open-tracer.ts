import { noTracer } from '../core/telemetry.ts';
import type { TracerHandle, TracerOptions } from './tracer-handle.ts';

export async function openTracer(options: TracerOptions): Promise<TracerHandle> {
  if (!options.enabled) return { tracer: noTracer, shutdown: async () => {} };
  const { openOtlpTracer } = await import('./otlp-tracer.ts');
  return openOtlpTracer(options);
}

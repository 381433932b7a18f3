import { createPassOnTracer } from './pass-on-tracer.ts';
import type { TracerHandle, TracerOptions } from './tracer-handle.ts';

export async function openTracer(options: TracerOptions): Promise<TracerHandle> {
  if (!options.enabled) return { tracer: createPassOnTracer(), shutdown: async () => {} };
  const { openOtlpTracer } = await import('./otlp-tracer.ts');
  return openOtlpTracer(options);
}

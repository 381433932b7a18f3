import type { BreakerStatus } from '../core/reliability/breakers/breaker.ts';
import type { ReliabilityEvent } from '../core/reliability/observer.ts';
import type { Instruments } from './instruments.ts';

const CIRCUIT_STATES = ['closed', 'open', 'half_open', 'forced_open'] as const;

/** Retries, circuits and deduplication, under the names that the contract gives them. */
export function measureReliability(
  instruments: Instruments,
  toolLabel: (tool: string) => string,
  event: ReliabilityEvent,
): void {
  switch (event.type) {
    case 'call.retried':
      instruments.retries.inc({ tool: toolLabel(event.toolId) });
      return;
    case 'cache.hit':
      instruments.cacheHits.inc({ tool: toolLabel(event.toolId) });
      return;
    case 'circuit.created':
      showState(instruments, toolLabel(event.toolId), event.status);
      return;
    case 'circuit.changed': {
      const tool = toolLabel(event.toolId);
      instruments.circuitTransitions.inc({ tool, from_state: event.from, to_state: event.to });
      showState(instruments, tool, event.to);
      return;
    }
    default:
      return;
  }
}

function showState(instruments: Instruments, tool: string, current: BreakerStatus): void {
  for (const state of CIRCUIT_STATES) {
    instruments.circuitState.set({ tool, state }, state === current ? 1 : 0);
  }
}

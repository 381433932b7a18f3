import type { Logger } from '../log.ts';
import type { ReliabilityEvent } from './observer.ts';

/** What an operator wants to find in the log: errors and changes of state. Ordinary calls are the metrics' business. */
export function logReliability(logger: Logger, event: ReliabilityEvent): void {
  switch (event.type) {
    case 'circuit.changed':
      logger.warn({ tool: event.toolId, from: event.from, to: event.to }, 'circuit changed');
      return;
    case 'call.retried':
      logger.info(
        {
          tool: event.toolId,
          attempt: event.attempt,
          delay_ms: event.delayMs,
          code: event.errorCode,
        },
        'tool call is tried again',
      );
      return;
    case 'cache.conflict':
      logger.warn({ tool: event.toolId, key_hash: event.keyHash }, 'key was used for another call');
      return;
    case 'cache.skipped':
      logger.warn(
        { tool: event.toolId, key_hash: event.keyHash, reason: event.reason },
        'result was not kept',
      );
      return;
    case 'outcome.unknown':
      logger.error({ tool: event.toolId, key_hash: event.keyHash }, 'outcome of a call is unknown');
      return;
    case 'store.failed':
      logger.warn(
        { store: event.store, operation: event.operation, reason: event.message },
        'reliability store failed; calls go on without it',
      );
      return;
    case 'store.recovered':
      logger.info({ store: event.store }, 'reliability store is back');
      return;
    case 'shadow.decided':
      logger.info(
        { tool: event.toolId, decision: event.decision, key_hash: event.keyHash },
        'shadow decision',
      );
      return;
    case 'circuit.created':
    case 'call.started':
    case 'call.ended':
    case 'cache.hit':
      return;
  }
}

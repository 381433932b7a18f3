import { MemoryBreakerStore } from '../../src/core/reliability/breakers/memory-breaker-store.ts';
import { MemoryIdempotencyStore } from '../../src/core/reliability/idempotency/memory-idempotency-store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { describeBreakerStore } from './breaker-store.suite.ts';
import { describeIdempotencyStore } from './effects/idempotency-store.suite.ts';

// Nobody else can see them: whoever is beside uses the same.
describeIdempotencyStore('memory', async () => {
  const clock = new ManualClock();
  const store = new MemoryIdempotencyStore(clock);
  return { store, clock, openBeside: async () => store };
});

describeBreakerStore('memory', async () => {
  const store = new MemoryBreakerStore();
  return { store, openBeside: async () => store };
});

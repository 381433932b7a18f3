import { describeAgentStore } from './agent-store.suite.ts';
import { describeApprovalStore } from './approval-store.suite.ts';
import { describeBreakerStore } from './breaker-store.suite.ts';
import { describeCapabilityStore } from './capability-store.suite.ts';
import { describeCommsStore } from './comms-store.suite.ts';
import { describeEffectStore } from './effect-store.suite.ts';
import { describeEventLog } from './event-log.suite.ts';
import type { OpenStorage } from './harness.ts';
import { describeIdempotencyStore } from './idempotency-store.suite.ts';
import { describeJobs } from './jobs.suite.ts';
import { describeMail } from './mail.suite.ts';
import { describeNonceStore } from './nonce-store.suite.ts';
import { describeOwners } from './owners.suite.ts';
import { describeProjectionStore } from './projection-store.suite.ts';
import { describeReceiptStore } from './receipt-store.suite.ts';
import { describeRecordStore } from './record-store.suite.ts';
import { breakersOf, idempotencyOf } from './reliability-stores.ts';
import { describeRunStore } from './run-store.suite.ts';
import { describeSessionRuns } from './session-runs.suite.ts';
import { describeSessions } from './sessions.suite.ts';
import { describeSkillStore } from './skill-store.suite.ts';
import { describeToolPinStore } from './tool-pin-store.suite.ts';
import { describeWakeups } from './wakeups.suite.ts';
import { describeWorkerStore } from './worker-store.suite.ts';

/** Every port of an engine that implements them all. */
export function describeStorage(engine: string, open: OpenStorage): void {
  describeRunStore(engine, open);
  describeEventLog(engine, open);
  describeRecordStore(engine, open);
  describeAgentStore(engine, open);
  describeWakeups(engine, open);
  describeSessions(engine, open);
  describeSessionRuns(engine, open);
  describeJobs(engine, open);
  describeMail(engine, open);
  describeEffectStore(engine, open);
  describeApprovalStore(engine, open);
  describeCapabilityStore(engine, open);
  describeToolPinStore(engine, open);
  describeNonceStore(engine, open);
  describeReceiptStore(engine, open);
  describeSkillStore(engine, open);
  describeOwners(engine, open);
  describeWorkerStore(engine, open);
  describeCommsStore(engine, open);
  describeProjectionStore(engine, open);

  describeIdempotencyStore(engine, idempotencyOf(open));
  describeBreakerStore(engine, breakersOf(open));
}

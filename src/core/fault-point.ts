/**
 * Named places where a crash would hurt most. In production nothing listens and a call costs a comparison; the
 * torture tests listen with SIGKILL. The hook is the one module-level variable of the core: handing it through every
 * signature would put the tests' needs in front of every reader.
 */
export const FAULT_POINTS = [
  'submit.before_create',
  'submit.after_create',
  'store.before_commit',
  'store.after_commit',
  'run.dispatch',
  'model.before_call',
  'model.mid_stream',
  'model.after_call',
  'tool.after_intent',
  'tool.after_effect',
  'run.before_finish',
  'run.after_finish',
  'lease.before_renew',
  'cancel.before_record',
  'record.before_mark',
  'record.before_bundle',
  'schedule.before_fire',
  'schedule.after_fire',
] as const;

/** Reached only by runs that take frames. */
export const THREAD_FAULT_POINTS = [
  'frame.before_accept',
  'frame.after_accept',
  'run.before_rest',
  'run.after_rest',
] as const;

/** Reached only by work that one agent hands to another. */
export const HANDOFF_FAULT_POINTS = [
  'handoff.after_give',
  'handoff.after_memory',
  'handoff.after_run',
  'handoff.after_end',
  'handoff.after_report',
] as const;

/** Reached only by backups and restores. */
export const BACKUP_FAULT_POINTS = [
  'backup.after_copy',
  'backup.before_rename',
  'restore.before_commit',
  'restore.after_commit',
  'restore.between_places',
] as const;

export type RunFaultPoint = (typeof FAULT_POINTS)[number];
export type FaultPoint =
  | RunFaultPoint
  | (typeof THREAD_FAULT_POINTS)[number]
  | (typeof HANDOFF_FAULT_POINTS)[number]
  | (typeof BACKUP_FAULT_POINTS)[number];

let onFaultPoint: ((point: FaultPoint) => void) | undefined;
let activeSpec: string | undefined;

export function faultPoint(point: FaultPoint): void {
  onFaultPoint?.(point);
}

function listenToFaultPoints(listener: ((point: FaultPoint) => void) | undefined): void {
  onFaultPoint = listener;
}

/**
 * Ends the process without a word when the point of `name:count` is reached for the count-th time. With a third part,
 * `name:count:stallMs`, its thread hangs there first: what another thread does without waiting for it comes to light.
 */
export function killAtFaultPoint(spec: string, kill: () => void): void {
  activeSpec = spec;
  const [name = '', count = '1', stallMs = '0'] = spec.split(':');
  let left = Number(count);
  listenToFaultPoints((point) => {
    if (point !== name) return;
    left -= 1;
    if (left > 0) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(stallMs));
    kill();
  });
}

/** For threads: each has this module to itself, and must be told what its process listens to. */
export function findActiveFaultSpec(): string | undefined {
  return activeSpec;
}

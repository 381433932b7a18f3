import { createIds } from '../create-ids.ts';
import { toRuntimeError } from '../errors.ts';
import type { SealedDraft } from '../events/event.ts';
import { createSeal } from '../events/seal.ts';
import type { LeaseId } from '../ids.ts';
import { isJsonObject } from '../json.ts';
import { silentLogger } from '../log.ts';
import { ghostOf, isLeftOpen } from '../loop/execution.ts';
import type { DecodedConditions } from '../loop/record/conditions.ts';
import { toCancelDrafts } from '../runs/cancel-drafts.ts';
import { endAtRest } from '../runs/end-at-rest.ts';
import { type ExecuteDeps, executeRun } from '../runs/execute-run.ts';
import { RunControl } from '../runs/run-control.ts';
import type { ClaimedRun } from '../runs/run-store.ts';
import { noMetrics, noTracer } from '../telemetry.ts';
import type { Tool } from '../tools/tool.ts';
import { type ContextSource, toConditions, toContextPorts } from './load-recorded-context.ts';
import { createRecordedClock } from './recorded-clock.ts';
import { createRecordedEvents } from './recorded-events.ts';
import { createRecordedJournal } from './recorded-journal.ts';
import { type AskedModel, createRecordedModel } from './recorded-model.ts';
import { createRecordedRedactor } from './recorded-redactor.ts';
import { createRecordedTools } from './recorded-tools.ts';
import { errorOf, type Recording, type Stretch, textOf } from './recording.ts';
import { createTape, type Divergence, type Tape } from './tape.ts';

export interface ReplayDeps extends ContextSource {
  /** Names that models without tool calls of their own may have written. */
  readonly registry?: ExecuteDeps['registry'];
}

export interface Replay {
  /** Events that the loop made again as they are on record. */
  readonly matched: number;
  /** Undefined when it went the same way to the end. */
  readonly divergence: Divergence | undefined;
}

/**
 * Runs the loop again over what is on record. Models, tools, clocks and people answer as they did then; nothing is called
 * and nothing is written.
 */
export async function replayRecording(
  deps: ReplayDeps,
  recording: Recording,
  onAsked?: (asked: AskedModel) => void,
): Promise<Replay> {
  const tape = createTape(recording);
  const ports = createPorts(deps, tape, onAsked);
  for (const stretch of recording.stretches) {
    tape.enter(stretch);
    while (tape.next() && !tape.divergence) await playOn(ports, tape);
  }
  if (recording.cancelledAtRest !== undefined && !tape.divergence) {
    await playCancel(ports, tape, recording.cancelledAtRest);
  }
  return { matched: tape.matched, divergence: tape.divergence };
}

/** As one runner would have: until the run rests, is taken over or has ended. */
async function playOn(ports: Ports, tape: Tape): Promise<void> {
  const control = new RunControl();
  // What was sent to it, and when it was seen, is for the tape to say.
  control.hasMail = true;
  const { run } = tape.recording;
  const before = tape.matched;
  tape.start(control);
  const claimed: ClaimedRun = {
    run,
    lease: { id: 'lease_replay' as LeaseId, runId: run.id, expiresAtMs: 0 },
    resumed: true,
    cancelRequested: false,
  };
  try {
    await executeRun(ports.forStretch(control), claimed, control);
  } catch (thrown) {
    const isParked = toRuntimeError(thrown).code === 'approval_required';
    if (!isParked && !isLeftOpen(control.signal)) throw thrown;
  }
  if (tape.matched === before && !tape.divergence) tape.missNext();
}

/** The run rested, and whoever cancelled it gave its open calls their results. */
async function playCancel(ports: Ports, tape: Tape, at: number): Promise<void> {
  const { events, run } = tape.recording;
  const made = events.flatMap((event, index) =>
    index > at && event.type !== 'frame.accepted' ? [index] : [],
  );
  const stretch: Stretch = {
    from: at,
    isRecovered: true,
    made,
    reachesEnd: true,
    stop: undefined,
  };
  const control = new AbortController();
  tape.enter(stretch);
  tape.start(control);
  const deps = ports.forStretch(control);
  const reason = textOf(events[at]?.payload['reason']);
  const actor = events[at]?.actor ?? 'user';
  const drafts: SealedDraft[] = [];
  if (run.startedAtMs === undefined) {
    drafts.push(toCancelDrafts(deps.seal, { reason, actor }).cancelled);
  } else {
    const { ending } = await endAtRest(deps, run);
    const { cancelled } = toCancelDrafts(deps.seal, { reason, actor, end: ending.end });
    drafts.push(...ending.results, cancelled);
  }
  for (const draft of drafts) tape.compare(draft);
  if (tape.next() && !tape.divergence) tape.missNext();
}

interface Ports {
  forStretch(control: AbortController): ExecuteDeps;
}

function createPorts(
  { sessions, registry }: ReplayDeps,
  tape: Tape,
  onAsked: ((asked: AskedModel) => void) | undefined,
): Ports {
  const { recording } = tape;
  const { run } = recording;
  const clock = createRecordedClock(run.createdAtMs);
  const ids = createIds(() => clock.nowMs());
  const redactor = createRecordedRedactor(tape);
  const seal = createSeal({ ids, redactor });
  const common = {
    ...createRecordedModel(tape, clock, onAsked),
    ...createRecordedTools(tape),
    events: createRecordedEvents(tape),
    clock,
    seal,
    redactor,
    // What went wrong then is no news.
    logger: silentLogger,
    tracer: noTracer,
    metrics: noMetrics,
    random: () => 0,
    deltaBatchMs: 0,
    approvalTtlMs: 0,
    ids: { approval: () => findApprovalId(tape) },
    registry: createRecordedNames(recording, registry),
    agents: { find: async () => (isAgentGone(tape) ? undefined : ghostOf(run)) },
    readSoul: async (agent: ReturnType<typeof ghostOf>) => agent,
    runs: { requestCancel: async () => ({ run, recorded: false }) },
  };
  return {
    forStretch(control) {
      const conditions = findConditions(tape);
      return {
        ...common,
        ...conditions,
        ...toContextPorts(sessions, conditions),
        openJournal: () => createRecordedJournal(tape, seal, control.signal),
      };
    },
  };
}

/** Those that the loop was held to from here on: on record when it first depended on them, unless they were before. */
function findConditions(tape: Tape): DecodedConditions {
  const { events } = tape.recording;
  const first = tape.rest().find(({ type }) => type === 'model.requested' || type === 'run.failed');
  const until = tape.next()?.seq ?? Number.POSITIVE_INFINITY;
  const before = events.findLast(({ seq, payload }) => seq < until && 'conditions' in payload);
  const payload = first && 'conditions' in first.payload ? first.payload : before?.payload;
  return toConditions(payload);
}

function findApprovalId(tape: Tape): never {
  const asked = tape.rest().find(({ payload }) => payload['decision'] === 'ask');
  return textOf(asked?.payload['approval_id']) as never;
}

function isAgentGone(tape: Tape): boolean {
  const { run } = tape.recording;
  const end = tape.stretch.reachesEnd ? tape.rest().at(-1) : undefined;
  const { code, message } = end ? errorOf(end) : { code: '', message: '' };
  return code === 'not_found' && message === `agent ${run.agentId} does not exist`;
}

/** Tools by the names that are on record, and by those they have now. */
function createRecordedNames(
  { events }: Recording,
  registry: ReplayDeps['registry'],
): ExecuteDeps['registry'] {
  const calls = events.filter(({ type }) => type === 'model.completed');
  const named = calls.flatMap(({ payload }) => {
    const asked = payload['tool_calls'];
    return Array.isArray(asked) ? asked.filter(isJsonObject).map(({ tool }) => textOf(tool)) : [];
  });
  const known = new Set(named);
  return {
    find(name) {
      return known.has(name) ? ({ name } as Tool) : registry?.find(name);
    },
  };
}

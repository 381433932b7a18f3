import type { JsonObject } from '../../../../../src/core/json.ts';
import type { RunEvent } from '../../../api/use-run-events.ts';
import { textOf } from '../timeline/payload.ts';

/** An event that a new run can go on from. */
export interface ForkPoint {
  readonly seq: number;
  readonly label: string;
  /** The model had answered by then: there is nothing to go on with but a new message. */
  readonly needsMessage: boolean;
}

/** Where it makes sense to go on: with what was asked, behind each round of calls, and behind each answer. */
export function findForkPoints(events: readonly RunEvent[]): readonly ForkPoint[] {
  const points: ForkPoint[] = [];
  const pending = new Set<string>();
  let turn = 0;
  for (const event of events) {
    const payload = event.payload as JsonObject;
    if (event.event_type === 'run.created') {
      points.push({ seq: event.seq, label: 'The beginning', needsMessage: false });
    } else if (event.event_type === 'model.completed') {
      turn = Number(payload['turn'] ?? turn);
      const calls = payload['tool_calls'];
      for (const call of Array.isArray(calls) ? calls : []) {
        pending.add(textOf((call as JsonObject)['id']));
      }
      if (pending.size === 0) {
        points.push({
          seq: event.seq,
          label: `After the answer of turn ${turn}`,
          needsMessage: true,
        });
      }
    } else if (
      event.event_type === 'tool.result' &&
      pending.delete(textOf(payload['tool_call_id']))
    ) {
      if (pending.size === 0) {
        points.push({
          seq: event.seq,
          label: `After the calls of turn ${turn}`,
          needsMessage: false,
        });
      }
    }
  }
  return points;
}

/** The last of them that does not lie behind an event. */
export function pointBefore(points: readonly ForkPoint[], seq: number): ForkPoint | undefined {
  return points.findLast((point) => point.seq <= seq);
}

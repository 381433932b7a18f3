import type { NewsEvent, SealedDraft } from '../../../core/events/event.ts';
import type { AgentId, EventId, RunId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json.ts';

type Place = Pick<NewsEvent, 'runId' | 'agentId' | 'seq' | 'atMs'>;

/** What was stored of a draft. Its payload is parsed when somebody asks: most who follow pass its text on. */
export class RecentEvent implements NewsEvent {
  readonly id: EventId;
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly seq: number;
  readonly type: NewsEvent['type'];
  readonly atMs: number;
  readonly actor: NewsEvent['actor'];
  readonly payloadText: string;
  readonly #redactionsText: string;
  #payload: JsonObject | undefined;

  constructor(draft: SealedDraft, { runId, agentId, seq, atMs }: Place) {
    this.id = draft.id;
    this.runId = runId;
    this.agentId = agentId;
    this.seq = seq;
    this.type = draft.type;
    this.atMs = atMs;
    this.actor = draft.actor;
    this.payloadText = draft.payload;
    this.#redactionsText = draft.redactions;
  }

  get payload(): JsonObject {
    this.#payload ??= JSON.parse(this.payloadText) as JsonObject;
    return this.#payload;
  }

  get redactions(): readonly string[] {
    return JSON.parse(this.#redactionsText) as string[];
  }
}

import { toIso } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Fact } from '../../core/knowledge/fact.ts';
import { adoptAlias } from '../files/repair-arguments.ts';

/** What a model is told of a fact. */
export interface FactView {
  readonly fact_id: string;
  readonly project_id: string;
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  readonly source: string;
  readonly agent_id: string | null;
  readonly valid_from: string;
  readonly valid_to: string | null;
}

export function describeFact(fact: Fact): FactView {
  return {
    fact_id: fact.id,
    project_id: fact.projectId,
    subject: fact.subject,
    relation: fact.relation,
    object: fact.object,
    source: fact.source,
    agent_id: fact.agentId ?? null,
    valid_from: toIso(fact.validFromMs),
    valid_to: fact.validToMs === undefined ? null : toIso(fact.validToMs),
  };
}

export function repairFact(raw: JsonObject): JsonObject {
  const named = adoptAlias(raw, 'relation', ['predicate', 'verb']);
  const valued = adoptAlias(named, 'object', ['value']);
  return adoptAlias(valued, 'project_id', ['project', 'projectId']);
}

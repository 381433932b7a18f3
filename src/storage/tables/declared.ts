import { AGENT_WRITES } from '../../core/agents/stored-agents.ts';
import { COMMS_WRITES } from '../../core/comms/stored-comms.ts';
import { COST_WRITES } from '../../core/costs/stored-costs.ts';
import { HANDOFF_WRITES } from '../../core/handoffs/stored-handoffs.ts';
import { CALL_WRITES } from '../../core/integrations/stored-calls.ts';
import { KILL_SWITCH_WRITES } from '../../core/kill-switch/stored-kill-switch.ts';
import { FACT_WRITES } from '../../core/knowledge/stored-facts.ts';
import { MAIL_WRITES } from '../../core/mail/stored-mail.ts';
import { MEMORY_WRITES } from '../../core/memory/stored-memories.ts';
import { VECTOR_WRITES } from '../../core/memory/stored-vectors.ts';
import { COUNT_WRITES } from '../../core/observability/stored-counts.ts';
import { CAPABILITY_WRITES } from '../../core/policy/stored-capabilities.ts';
import { PROJECTION_WRITES } from '../../core/projection/stored-projections.ts';
import { BREAKER_WRITES } from '../../core/reliability/breakers/stored-breakers.ts';
import { SIGN_IN_WRITES } from '../../core/sign-ins/stored-sign-ins.ts';
import { SKILL_WRITES } from '../../core/skills/stored-skills.ts';
import type { AnyCollection, AnyQuery } from '../../core/store/collection.ts';
import type { Write } from '../../core/store/write.ts';
import { NONCE_WRITES } from '../../core/threads/stored-nonces.ts';
import { TOOL_PIN_WRITES } from '../../core/tools/stored-pins.ts';
import { AGENT_QUERIES, AGENT_TABLE } from './agents.ts';
import { BREAKER_TABLE } from './breakers.ts';
import { CALL_QUERIES, CALL_TABLE } from './calls.ts';
import { CAPABILITY_TABLE } from './capabilities.ts';
import { COMMS_QUERIES, DELIVERY_EVENT_TABLE, SUPPRESSION_TABLE } from './comms.ts';
import { ACCOUNT_TABLE, BUDGET_TABLE, RUN_LEDGER_TABLE, USAGE_TABLE } from './costs.ts';
import { COUNT_QUERIES, COUNT_TABLE } from './counts.ts';
import { FACT_QUERIES, FACT_TABLE } from './facts.ts';
import { FEED_QUERIES } from './feed.ts';
import { HANDOFF_QUERIES, HANDOFF_TABLE } from './handoffs.ts';
import { KILL_SWITCH_QUERIES, KILL_SWITCH_TABLE } from './kill-switch.ts';
import { MAIL_QUERIES, MAIL_TABLE } from './mail.ts';
import {
  MEMORY_DIGEST_TABLE,
  MEMORY_HEAD_TABLE,
  MEMORY_KEY_TABLE,
  MEMORY_QUERIES,
  MEMORY_TABLE,
} from './memories.ts';
import {
  MEMORY_EMBEDDER_TABLE,
  MEMORY_VECTOR_QUERIES,
  MEMORY_VECTOR_TABLE,
} from './memory-vectors.ts';
import { NONCE_TABLE } from './nonces.ts';
import { CHECKPOINT_TABLE, PROJECTION_QUERIES, PROJECTION_WRITER_TABLE } from './projections.ts';
import { PROJECT_QUERIES } from './projects.ts';
import { SIGN_IN_TABLE } from './sign-ins.ts';
import { RELEASE_TABLE, SKILL_QUERIES, SPEC_TABLE } from './skills.ts';
import type { QuerySql, Table } from './table.ts';
import { TOOL_PIN_TABLE } from './tool-pins.ts';

/** All that is declared once for every engine. */
export const TABLES: readonly Table[] = [
  ACCOUNT_TABLE,
  AGENT_TABLE,
  BREAKER_TABLE,
  BUDGET_TABLE,
  CALL_TABLE,
  CAPABILITY_TABLE,
  CHECKPOINT_TABLE,
  COUNT_TABLE,
  DELIVERY_EVENT_TABLE,
  FACT_TABLE,
  HANDOFF_TABLE,
  KILL_SWITCH_TABLE,
  MAIL_TABLE,
  MEMORY_TABLE,
  MEMORY_DIGEST_TABLE,
  MEMORY_KEY_TABLE,
  MEMORY_HEAD_TABLE,
  MEMORY_VECTOR_TABLE,
  MEMORY_EMBEDDER_TABLE,
  NONCE_TABLE,
  PROJECTION_WRITER_TABLE,
  RELEASE_TABLE,
  RUN_LEDGER_TABLE,
  SIGN_IN_TABLE,
  SPEC_TABLE,
  SUPPRESSION_TABLE,
  TOOL_PIN_TABLE,
  USAGE_TABLE,
];

export const QUERIES: readonly QuerySql[] = [
  ...AGENT_QUERIES,
  ...CALL_QUERIES,
  ...COMMS_QUERIES,
  ...FACT_QUERIES,
  ...FEED_QUERIES,
  ...HANDOFF_QUERIES,
  ...COUNT_QUERIES,
  ...KILL_SWITCH_QUERIES,
  ...MAIL_QUERIES,
  ...MEMORY_QUERIES,
  ...MEMORY_VECTOR_QUERIES,
  ...PROJECTION_QUERIES,
  ...PROJECT_QUERIES,
  ...SKILL_QUERIES,
];

const WRITES = [
  AGENT_WRITES,
  BREAKER_WRITES,
  CALL_WRITES,
  CAPABILITY_WRITES,
  COMMS_WRITES,
  COST_WRITES,
  FACT_WRITES,
  HANDOFF_WRITES,
  COUNT_WRITES,
  KILL_SWITCH_WRITES,
  MAIL_WRITES,
  MEMORY_WRITES,
  VECTOR_WRITES,
  NONCE_WRITES,
  PROJECTION_WRITES,
  SIGN_IN_WRITES,
  SKILL_WRITES,
  TOOL_PIN_WRITES,
].flatMap((writes): readonly { readonly name: string }[] => Object.values(writes));

const tables = new Map<AnyCollection, Table>(TABLES.map((one) => [one.of, one]));
const queries = new Map<AnyQuery, QuerySql>(QUERIES.map((one) => [one.of, one]));
const writes = new Map(WRITES.map((one) => [one.name, one as Write<unknown, unknown>]));

export function findTable(of: AnyCollection): Table {
  return tables.get(of) ?? undeclared(of.name);
}

export function findQuery(of: AnyQuery): QuerySql {
  return queries.get(of) ?? undeclared(of.name);
}

export function findWrite(name: string): Write<unknown, unknown> {
  return writes.get(name) ?? undeclared(name);
}

function undeclared(name: string): never {
  throw new TypeError(`${name} is not declared in storage/tables`);
}

import type { EffectStore } from '../effects/effect.ts';
import type { Ids } from '../ids.ts';
import type { Redactor } from '../redact/redact.ts';
import type { ToolRunner } from '../tools/tool-runner.ts';
import type { Execution } from './execution.ts';

/** What giving a run's open calls a result needs. */
export interface SettleDeps {
  readonly tools: ToolRunner;
  readonly effects: Pick<EffectStore, 'find'>;
  readonly redactor: Redactor;
}

/** What making a run's tool calls needs. */
export interface ToolTurnDeps extends SettleDeps {
  readonly ids: Pick<Ids, 'approval'>;
  /** How long a question to a person stays open. */
  readonly approvalTtlMs: number;
}

/** The calls of one run, while they are made. */
export interface Turn {
  readonly deps: ToolTurnDeps;
  readonly execution: Execution;
}

/** A run whose open calls get their results, in whoever's hands it is. */
export type Settled = Pick<Execution, 'run' | 'agent' | 'state' | 'record'>;

export interface Settling {
  readonly deps: SettleDeps;
  readonly execution: Settled;
}

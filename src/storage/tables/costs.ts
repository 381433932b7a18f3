import { ACCOUNTS } from '../../core/costs/account.ts';
import { BUDGETS } from '../../core/costs/budget.ts';
import { RUN_LEDGERS } from '../../core/costs/run-ledger.ts';
import { USAGES } from '../../core/costs/stored-costs.ts';
import { table } from './table.ts';

export const BUDGET_TABLE = table(BUDGETS, {
  name: 'ordered',
  scope: 'json',
  pico: 'id?',
  tokens: 'int?',
  updatedAtMs: 'ms',
});

export const ACCOUNT_TABLE = table(ACCOUNTS, {
  name: 'ordered',
  shareOf: 'text?',
  agentId: 'text?',
  agentName: 'text?',
  pico: 'id',
  tokensIn: 'int',
  tokensOut: 'int',
  heldPico: 'id',
  heldTokens: 'int',
  lastAtMs: 'ms',
  expiresAtMs: 'ms?',
});

export const RUN_LEDGER_TABLE = table(RUN_LEDGERS, {
  runId: 'id',
  pico: 'id',
  tokensIn: 'int',
  tokensOut: 'int',
  lostPico: 'id',
  lostIn: 'int',
  lostOut: 'int',
  heldDay: 'id?',
  heldPico: 'id',
  heldIn: 'int',
  heldOut: 'int',
  attempts: 'int',
  tokenGaps: 'int',
  costGaps: 'int',
  closedAtMs: 'ms?',
});

export const USAGE_TABLE = table(USAGES, { key: 'ordered', digest: 'id', expiresAtMs: 'ms' });

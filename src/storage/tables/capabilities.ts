import { CAPABILITIES } from '../../core/policy/stored-capabilities.ts';
import { table } from './table.ts';

export const CAPABILITY_TABLE = table(
  CAPABILITIES,
  { agentId: 'id', tool: 'text', effect: 'id', by: 'text', atMs: 'ms' },
  { by: 'changed_by' },
);

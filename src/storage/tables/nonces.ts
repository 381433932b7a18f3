import { NONCES } from '../../core/threads/stored-nonces.ts';
import { table } from './table.ts';

export const NONCE_TABLE = table(NONCES, { key: 'id', expiresAtMs: 'ms' });

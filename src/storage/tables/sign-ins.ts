import { SIGN_INS } from '../../core/sign-ins/stored-sign-ins.ts';
import { table } from './table.ts';

export const SIGN_IN_TABLE = table(SIGN_INS, {
  id: 'id',
  secretDigest: 'id',
  tokenTag: 'id',
  userAgent: 'text',
  address: 'text',
  createdAtMs: 'ms',
  lastSeenAtMs: 'ms',
  expiresAtMs: 'ms',
});

import { BREAKERS } from '../../core/reliability/breakers/stored-breakers.ts';
import { table } from './table.ts';

export const BREAKER_TABLE = table(BREAKERS, { key: 'ordered', version: 'int', state: 'loose' });

import { join } from 'node:path';

/** The program as it is shipped. */
export const PROGRAM = join(import.meta.dirname, '../../dist/claw.cjs');

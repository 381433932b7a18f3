import type { SandboxProbe } from '../sandbox/sandbox.ts';
import type { CheckStatus } from './judgement.ts';

/** Of a sandbox that is configured: one that can't run a command runs none, and one with gaps is less than it seems. */
export function judgeSandbox(probe: SandboxProbe): CheckStatus {
  if (!probe.available) return 'fail';
  return probe.weaknesses.length === 0 ? 'pass' : 'warn';
}

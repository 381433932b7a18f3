import type { Tool } from '../../core/tools/tool.ts';
import type { ServiceDeps } from './find-service.ts';
import { createGithubTools } from './github-tools.ts';
import { createSendEmail, type SendEmailDeps } from './send-email.ts';

export interface IntegrationToolsDeps extends ServiceDeps, SendEmailDeps {}

/** Services outside, as tools. Nobody has them until an operator grants them; tools/execute needs no grant. */
export function createIntegrationTools(deps: IntegrationToolsDeps): readonly Tool[] {
  return [...createGithubTools(deps), createSendEmail(deps)];
}

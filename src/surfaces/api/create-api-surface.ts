import type { AgentWriting } from '../../operations/agents/agents.ts';
import { PROFILE_OPERATIONS } from '../../operations/agents/profiles.ts';
import { COST_OPERATIONS, type CostWriting } from '../../operations/costs/costs.ts';
import { HANDOFF_OPERATIONS, type HandoffWriting } from '../../operations/handoffs/handoffs.ts';
import {
  INTEGRATION_OPERATIONS,
  type PanelAccess,
} from '../../operations/integrations/integrations.ts';
import {
  KNOWLEDGE_OPERATIONS,
  type KnowledgeWriting,
} from '../../operations/knowledge/knowledge.ts';
import { MEMORY_OPERATIONS, type MemoryWriting } from '../../operations/memory/memory.ts';
import {
  OBSERVABILITY_OPERATIONS,
  type SummaryReading,
} from '../../operations/observability/observability.ts';
import { PROJECT_OPERATIONS, type ProjectReading } from '../../operations/projects/projects.ts';
import { type ChecklistReading, SECURITY_OPERATIONS } from '../../operations/security/security.ts';
import type { VoiceSpeaking } from '../../operations/voice/voice.ts';
import { addOperations } from '../http/add-operations.ts';
import type { Authenticate, Surface } from '../http/surface.ts';
import { apiErrorEnvelope } from './error-envelope.ts';
import { encodeApiError } from './errors.ts';
import { addVoiceRoutes } from './voice-routes.ts';

export interface ApiDeps
  extends AgentWriting,
    ChecklistReading,
    CostWriting,
    HandoffWriting,
    KnowledgeWriting,
    MemoryWriting,
    PanelAccess,
    ProjectReading,
    SummaryReading,
    VoiceSpeaking {
  readonly authenticate: Authenticate;
}

/** `/api` beside `/api/admin`: teams of agents, what they know, and what they cost. */
export function createApiSurface(deps: ApiDeps): Surface {
  return {
    name: 'api',
    prefix: '/api',
    encodeError: encodeApiError,
    errorEnvelope: apiErrorEnvelope,
    authenticate: deps.authenticate,
    async routes(app, kit) {
      await addOperations(app, PROFILE_OPERATIONS, deps);
      await addOperations(app, MEMORY_OPERATIONS, deps);
      await addOperations(app, HANDOFF_OPERATIONS, deps);
      await addOperations(app, KNOWLEDGE_OPERATIONS, deps);
      await addOperations(app, PROJECT_OPERATIONS, deps);
      await addOperations(app, COST_OPERATIONS, deps);
      await addOperations(app, OBSERVABILITY_OPERATIONS, deps);
      await addOperations(app, INTEGRATION_OPERATIONS, deps);
      await addOperations(app, SECURITY_OPERATIONS, deps);
      await addVoiceRoutes(app, kit, deps);
    },
  };
}

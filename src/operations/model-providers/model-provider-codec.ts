import { toIso } from '../../core/clock.ts';
import type { ModelProvider, ProviderAnswer } from '../../core/integrations/model-providers.ts';
import type { ModelProviderAnswerShape, ModelProviderShape } from './model-provider-shapes.ts';

export function encodeProvider(provider: ModelProvider): ModelProviderShape {
  const { id, origin = null, keyPlace = null, missing = null } = provider;
  return { id, origin, key_place: keyPlace, missing };
}

export function encodeProviderAnswer(answered: ProviderAnswer): ModelProviderAnswerShape {
  const { id, status, message, check } = answered;
  return {
    id,
    status,
    message,
    checked_at: check ? toIso(check.atMs) : null,
    duration_ms: check ? Math.round(check.durationMs) : null,
    http_status: check?.httpStatus ?? null,
  };
}

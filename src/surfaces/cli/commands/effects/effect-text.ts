import type { EffectShape } from '../../../../operations/effects/effect-shapes.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_TEXT_CHARS = 400;

export const EFFECT_ID = {
  thing: 'effect',
  hint: 'ids look like req_01jv8z4q0k6c…; claw effects list shows them',
} as const;

/** `error` is the envelope's own member, so an effect's error has another name. */
export function toEffectFields({ error, ...effect }: EffectShape) {
  return { ...effect, effect_error: error };
}

export function formatEffect(effect: EffectShape, style: Style): string {
  const { error, resolution } = effect;
  return formatFacts(
    [
      ['effect', effect.id],
      ['status', paintStatus(effect.status, style)],
      ['tool', toOneLine(effect.tool, 100)],
      ['run', effect.run_id],
      ['agent', effect.agent_id],
      ['call', toOneLine(effect.tool_call_id, 100)],
      ['key', toOneLine(effect.idempotency_key ?? '', MAX_TEXT_CHARS)],
      ['created', formatDate(effect.created_at)],
      ['updated', formatDate(effect.updated_at)],
      ['error', error === null ? '' : toOneLine(`${error.code}: ${error.message}`, MAX_TEXT_CHARS)],
      [
        'settled',
        resolution === null ? '' : `${resolution.status} by ${toOneLine(resolution.by, 100)}`,
      ],
      ['note', toOneLine(resolution?.note ?? '', MAX_TEXT_CHARS)],
    ],
    style,
  );
}

function paintStatus(status: EffectShape['status'], style: Style): string {
  switch (status) {
    case 'confirmed':
      return style.green(status);
    case 'failed':
      return style.red(status);
    case 'unknown':
      return style.yellow(status);
    case 'intent':
    case 'sent':
      return style.cyan(status);
  }
}

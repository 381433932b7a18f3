import type { ConfigSaved, FieldProblem } from '../../core/config-editor.ts';
import type { ConfigSavedShape, ConfigVerdictShape } from './config-shapes.ts';

export function encodeConfigSaved(saved: ConfigSaved): ConfigSavedShape {
  return {
    ok: true,
    applied: [...saved.applied],
    restart_required: [...saved.restartRequired],
    overridden: [...saved.overridden],
  };
}

export function encodeConfigVerdict(problems: readonly FieldProblem[]): ConfigVerdictShape {
  return {
    valid: problems.length === 0,
    field_errors: problems.map(({ path, message }) => ({ path, message })),
  };
}

import type { ConfigDescription, ConfigSaved, FieldProblem } from '../../core/config-editor.ts';
import type {
  ConfigDescriptionShape,
  ConfigSavedShape,
  ConfigVerdictShape,
} from './config-shapes.ts';

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

export function encodeConfigDescription(description: ConfigDescription): ConfigDescriptionShape {
  return {
    schema: description.schema,
    fields: description.fields.map((field) => ({
      path: field.path,
      description: field.description,
      default: field.defaultValue ?? null,
      restart_required: field.needsRestart,
      secret: field.isSecret,
      variable: field.variable ?? null,
      overridden: field.isOverridden,
    })),
    pending: [...description.pending],
  };
}

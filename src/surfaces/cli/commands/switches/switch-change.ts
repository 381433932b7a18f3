import { isJsonObject, type JsonObject } from '../../../../core/json.ts';
import type { ConfigSavedShape } from '../../../../operations/config/config-shapes.ts';
import { editConfig } from '../../ask/ask-config.ts';
import type { Via } from '../../healthy-server.ts';
import { formatWarning, type Style } from '../../print/style.ts';
import type { CliContext } from '../../program/context.ts';
import { formatSaved } from '../config/config-text.ts';

/** What a switch is to change, and what follows from it. */
export interface SwitchPlan {
  readonly isOn: boolean;
  /** A merge patch. */
  readonly change: JsonObject;
  readonly consequences: readonly string[];
}

export interface Switched {
  readonly name: 'shell' | 'network';
  readonly via: Via;
  readonly plan: SwitchPlan;
  readonly saved: ConfigSavedShape;
  readonly warnings: readonly string[];
}

/** Through the way that every change of the configuration goes: live where a server runs, with the old file kept. */
export async function changeSwitch(
  context: CliContext,
  name: Switched['name'],
  toPlan: (config: JsonObject) => SwitchPlan,
): Promise<Switched> {
  return { name, ...(await editConfig(context, toPlan)), warnings: [] };
}

export function toSwitchFields({ name, via, plan, saved, warnings }: Switched): JsonObject {
  const { applied, restart_required: later, overridden } = saved;
  return {
    name,
    enabled: plan.isOn,
    consequences: [...plan.consequences],
    warnings: [...warnings],
    applied: [...applied],
    restart_required: [...later],
    overridden: [...overridden],
    via,
  };
}

export function formatSwitched(
  { name, via, plan, saved, warnings }: Switched,
  style: Style,
): string {
  return [
    style.bold(`${name} is ${plan.isOn ? 'on' : 'off'}:`),
    ...plan.consequences.map((line) => `  ${line}`),
    ...warnings.map((warning) => formatWarning(warning, style)),
    style.dim(formatSaved({ via, field: name, saved }, style)),
  ].join('\n');
}

/** The names and texts of a section that was checked. */
export function readSection(config: JsonObject, name: string): JsonObject {
  const found = config[name];
  return isJsonObject(found) ? found : {};
}

export function readTexts(section: JsonObject, name: string): string[] {
  const found = section[name];
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}

/** Those there are, and then those that are new. */
export function unite(known: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...known, ...added])];
}

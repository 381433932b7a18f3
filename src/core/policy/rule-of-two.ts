import type { Tool, ToolTrait } from '../tools/tool.ts';
import type { Decision } from './decision.ts';

/**
 * A run that has read what strangers wrote, and has seen secrets, must not act outward on its own: together the three
 * are how data is stolen through an agent. Any two are fine; the third needs a person.
 */
export function judgeRuleOfTwo(tool: Tool, exposure: readonly ToolTrait[]): Decision {
  const traits = new Set([...exposure, ...tool.traits]);
  const isComplete =
    tool.traits.includes('outward_effect') &&
    traits.has('untrusted_input') &&
    traits.has('secret_data');
  if (!isComplete) return { decision: 'allow', reason: 'rule_of_two_kept' };
  return {
    decision: 'ask',
    reason: 'rule_of_two',
    message: `${tool.name} acts outward, and this run has seen both untrusted input and secret data`,
  };
}

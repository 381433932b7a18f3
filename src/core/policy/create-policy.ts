import { type Capabilities, judgeCapability } from './capabilities.ts';
import { strictest } from './decision.ts';
import { judgeMode } from './judge-mode.ts';
import type { PermissionMode } from './permission-mode.ts';
import type { Policy } from './policy.ts';
import { judgeRules, type PolicyRule } from './policy-rule.ts';
import { judgeRuleOfTwo } from './rule-of-two.ts';

export interface PolicyDeps {
  readonly capabilities: Pick<Capabilities, 'has' | 'freshen'>;
  /** Asked for every decision. */
  readonly settings: () => PolicySettings;
}

export interface PolicySettings {
  readonly mode: PermissionMode;
  readonly rules: readonly PolicyRule[];
  readonly hasRuleOfTwo: boolean;
}

/** Deny by default: every opinion is heard, and the strictest counts. */
export function createPolicy(deps: PolicyDeps): Policy {
  const { has } = deps.capabilities;
  return {
    isGranted(agentId, tool) {
      // For the next turn: what a model is told of is a courtesy, and `decide` is what counts.
      void deps.capabilities.freshen();
      return has(agentId, tool.name) && judgeMode(tool, deps.settings().mode).decision === 'allow';
    },

    async decide({ agentId, tool, input, exposure }) {
      await deps.capabilities.freshen();
      const { mode, rules, hasRuleOfTwo } = deps.settings();
      return strictest([
        judgeCapability(has, agentId, tool),
        judgeMode(tool, mode),
        judgeRules(rules, tool, input),
        ...(tool.judge ? [tool.judge(input)] : []),
        ...(hasRuleOfTwo ? [judgeRuleOfTwo(tool, exposure)] : []),
      ]);
    },
  };
}

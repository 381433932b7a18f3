import type { AgentId } from '../ids.ts';
import type { Tool } from '../tools/tool.ts';
import { type Capabilities, judgeCapability } from './capabilities.ts';
import { strictest } from './decision.ts';
import { judgeFork } from './judge-fork.ts';
import { judgeMode } from './judge-mode.ts';
import { judgePrincipal } from './judge-principal.ts';
import type { PermissionMode } from './permission-mode.ts';
import type { Policy } from './policy.ts';
import { judgeRules, type PolicyRule } from './policy-rule.ts';
import { judgeRuleOfTwo } from './rule-of-two.ts';

export interface PolicyDeps {
  readonly capabilities: Pick<Capabilities, 'has' | 'freshen'>;
  /** Tools that the operator opens to users and guests beside those that serve everyone; none when left out. */
  readonly isOpened?: (agentId: AgentId, tool: Tool) => boolean;
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
  const judgeAudience = (agentId: AgentId, tool: Tool, principal: string) =>
    judgePrincipal(principal, tool, deps.isOpened?.(agentId, tool) ?? false);
  return {
    isGranted(agentId, tool, principal) {
      // For the next turn: what a model is told of is a courtesy, and `decide` is what counts.
      void deps.capabilities.freshen();
      if (judgeAudience(agentId, tool, principal).decision !== 'allow') return false;
      return has(agentId, tool.name) && judgeMode(tool, deps.settings().mode).decision === 'allow';
    },

    async decide({ agentId, runId, principal, tool, input, exposure, isFork = false }) {
      await deps.capabilities.freshen();
      const { mode, rules, hasRuleOfTwo } = deps.settings();
      // Nobody looks at the disk for rules that there are not.
      const isAimed = rules.some(({ where }) => where !== undefined);
      const aims = isAimed ? ((await tool.aims?.(input, { agentId, runId, principal })) ?? []) : [];
      const byRules = await judgeRules(rules, { tool, input, aims });
      return strictest([
        judgeCapability(has, agentId, tool),
        judgeAudience(agentId, tool, principal),
        judgeMode(tool, mode),
        byRules,
        ...(tool.judge ? [tool.judge(input)] : []),
        ...(hasRuleOfTwo ? [judgeRuleOfTwo(tool, exposure)] : []),
        ...(isFork ? [judgeFork(tool)] : []),
      ]);
    },
  };
}

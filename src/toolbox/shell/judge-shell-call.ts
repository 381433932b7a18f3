import { type CommandRules, judgeCommand } from '../../core/policy/command-rules/judge-command.ts';
import type { Decision } from '../../core/policy/decision.ts';

/** The command rules' opinion in the words of policy. */
export function judgeShellCall(rules: CommandRules, argv: readonly string[]): Decision {
  const { verdict, reason, message } = judgeCommand(rules, argv);
  switch (verdict) {
    case 'allow':
      return { decision: 'allow', reason: `command_${reason}` };
    case 'ask':
      return {
        decision: 'ask',
        reason: `command_${reason}`,
        message: `command needs approval: ${message}`,
      };
    case 'deny':
      return {
        decision: 'deny',
        reason: `command_${reason}`,
        message: `command is not allowed: ${message}`,
      };
  }
}

import type { LiveConfig } from '../config/live-config.ts';
import { createStandingAnswers } from '../core/approvals/create-standing-answers.ts';
import type { StandingAnswers } from '../core/approvals/standing-answers.ts';
import type { ConfigEditor } from '../core/config-editor.ts';
import type { JsonObject } from '../core/json.ts';
import { toArgv } from '../toolbox/shell/run-shell-command.ts';
import { toCommandRules } from './assemble-toolbox.ts';

/** "Always", by the rules in force. */
export function assembleStandingAnswers(live: LiveConfig, config: ConfigEditor): StandingAnswers {
  return createStandingAnswers({
    config,
    settings() {
      const { config: current } = live.current();
      return {
        rules: current.policy.rules,
        commands: toCommandRules(current),
        toArgv: toShellArgv,
      };
    },
  });
}

function toShellArgv({ command, args }: JsonObject): readonly string[] | undefined {
  if (typeof command !== 'string') return undefined;
  if (args === undefined) return toArgv({ command });
  const isList = Array.isArray(args) && args.every((one) => typeof one === 'string');
  return isList ? toArgv({ command, args: args as string[] }) : undefined;
}

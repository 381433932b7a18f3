import { SESSION_ID_PATTERN } from '../../../../core/ids.ts';
import { parseName } from '../../admin-arguments.ts';

export function parseSessionArgument(argument: string | undefined, command: string): string {
  return parseName(argument, {
    command,
    pattern: SESSION_ID_PATTERN,
    what: 'the id of a session',
    hint: 'ids look like session_01jv8z4q0k6c…; claw sessions list shows them',
  });
}

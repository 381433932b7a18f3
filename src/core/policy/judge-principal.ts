import { OPERATOR } from '../principal.ts';
import type { Tool } from '../tools/tool.ts';
import type { Decision } from './decision.ts';

/** A tool that does not know whose things it touches is the operator's alone, until the operator opens it to others. */
export function judgePrincipal(principal: string, tool: Tool, isOpened: boolean): Decision {
  if (principal === OPERATOR || tool.serves === 'everyone' || isOpened) {
    return { decision: 'allow', reason: 'principal_served' };
  }
  return {
    decision: 'deny',
    reason: 'principal_not_served',
    message: `${tool.name} is for runs of the operator (tools.granted_to_principals)`,
  };
}

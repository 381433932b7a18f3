import type {
  KillSwitchShape,
  KillSwitchStateShape,
} from '../../../../operations/kill-switch/kill-switch-shapes.ts';
import type { Asked } from '../../ask/ask-runtime.ts';
import { formatDate } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_REASON_CHARS = 200;

export function encodeSwitch({ via, answer }: Asked<KillSwitchShape>) {
  const { on, reason, by, changed_at } = answer;
  return { on, reason, by, changed_at, via };
}

export function describeSwitch(state: KillSwitchStateShape, style: Style): string {
  const { on, reason, by, changed_at: at } = state;
  if (!on) return `${style.green('work goes on')}: nothing is stopped`;
  const why = reason === '' ? '' : `: ${toOneLine(reason, MAX_REASON_CHARS)}`;
  const since = at === null ? '' : ` since ${formatDate(at)}`;
  return `${style.red('all work is stopped')} by ${toOneLine(by ?? '', 100)}${since}${why}; claw resume-all lets it go on`;
}

import type { HandoffShape } from '../../../../operations/handoffs/handoff-shapes.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_CELL_CHARS = 200;

export function formatHandoff(handoff: HandoffShape, style: Style): string {
  const facts = formatFacts(
    [
      ['hand-off', handoff.handoff_id],
      ['from', handoff.from_agent_id],
      ['to', handoff.to_agent_id],
      ['project', toOneLine(handoff.project_id, MAX_CELL_CHARS)],
      ['state', handoff.state],
      ['run', handoff.run_id ?? '(none yet)'],
      ['came through', handoff.chain.join(' → ')],
      ['created', formatDate(handoff.created_at)],
      ['ended', formatDate(handoff.ended_at)],
      ['reported', formatDate(handoff.reported_at)],
    ],
    style,
  );
  const outcome = handoff.result ?? handoff.error;
  return [
    facts,
    toPlainText(handoff.content),
    ...(outcome === null ? [] : [toPlainText(outcome)]),
  ].join('\n\n');
}

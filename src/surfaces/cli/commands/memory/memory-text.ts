import type { MemoryShape } from '../../../../operations/memory/memory-shapes.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

export const MAX_CELL_CHARS = 200;

export function formatMemory(memory: MemoryShape, style: Style): string {
  const { metadata } = memory;
  const line = (text: string) => toOneLine(text, MAX_CELL_CHARS);
  const facts = formatFacts(
    [
      ['memory', memory.id],
      ['agent', line(metadata.agent_id)],
      ['project', line(metadata.project_id)],
      ['session', line(metadata.session_id ?? '')],
      ['source', `${line(metadata.source)}${memory.trusted ? '' : ' (not trusted)'}`],
      ['said', formatDate(metadata.timestamp)],
      ['tags', line(metadata.tags.join(', '))],
      ['priority', `${memory.priority_score}${memory.pinned ? ' (pinned)' : ''}`],
      ['pinned for', line(memory.pin_reason ?? '')],
      ['accesses', String(memory.access_count)],
      ['seen by', memory.private ? 'its agent alone' : 'all that share'],
    ],
    style,
  );
  return `${facts}\n\n${toPlainText(memory.content)}`;
}

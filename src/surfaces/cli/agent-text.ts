import type { AgentShape } from '../http/runtime-shapes.ts';
import { formatDate, formatFacts } from './layout.ts';
import { toOneLine, toPlainText } from './plain-text.ts';
import type { Style } from './style.ts';

const MAX_TEXT_CHARS = 200;

export function formatAgent(agent: AgentShape, style: Style): string {
  const facts = formatFacts(
    [
      ['agent', agent.agent_id],
      ['name', toOneLine(agent.name, MAX_TEXT_CHARS)],
      ['role', toOneLine(agent.role, MAX_TEXT_CHARS)],
      ['model', formatModel(agent)],
      ['created', formatDate(agent.created_at)],
    ],
    style,
  );
  return [facts, toPlainText(agent.instructions)].filter((part) => part !== '').join('\n\n');
}

export function formatModel({ model }: AgentShape): string {
  return model === null ? '(the default)' : toOneLine(model, MAX_TEXT_CHARS);
}

import type { AgentShape } from '../../../../operations/agents/agent-shapes.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_TEXT_CHARS = 200;

export function formatAgent(agent: AgentShape, style: Style): string {
  const facts = formatFacts(
    [
      ['agent', agent.slug],
      ['id', agent.agent_id],
      ['name', toOneLine(agent.name, MAX_TEXT_CHARS)],
      ['role', toOneLine(agent.role, MAX_TEXT_CHARS)],
      ['status', agent.status],
      ['model', formatModel(agent)],
      [
        'skills',
        agent.skills.length === 0
          ? '(all it is granted)'
          : toOneLine(agent.skills.join(', '), MAX_TEXT_CHARS),
      ],
      ['memory', agent.memory_access],
      ['voice', toOneLine(agent.voice_id ?? '(none)', MAX_TEXT_CHARS)],
      ['created', formatDate(agent.created_at)],
    ],
    style,
  );
  return [facts, toPlainText(agent.instructions)].filter((part) => part !== '').join('\n\n');
}

export function formatModel({ model }: AgentShape): string {
  return model === null ? '(the default)' : toOneLine(model, MAX_TEXT_CHARS);
}

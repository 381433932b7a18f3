import { readStats } from '../../../../operations/memory/memory.ts';
import { askMemory } from '../../ask/ask-memory.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';

const MAX_ERROR_CHARS = 200;

export const memoryStatus = defineCommand({
  usage: '',
  description:
    'What waits to be embedded is found by its words meanwhile. Asks the running server, else looks in this process.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw memory status'],
  run: (_, context) => askMemory(context, readStats, {}),
  fields: ({ via, answer }) => ({ ...answer, via }),
  text({ answer }, style) {
    const { chunks, embedded, pending_embeddings: pending, model, degraded } = answer;
    const speed = answer.texts_per_second;
    const share = chunks === 0 ? 100 : Math.floor((embedded / chunks) * 100);
    return formatFacts(
      [
        ['memories', String(chunks)],
        ['model', model ?? '(none: words alone decide)'],
        ['embedded', model === null ? '' : `${embedded} (${share}%), ${pending} waiting`],
        ['speed', speed === null ? '' : `${Math.round(speed)} texts a second`],
        ['state', degraded ? 'degraded: words alone decide for now' : 'well'],
        ['error', toOneLine(answer.embedding_error ?? '', MAX_ERROR_CHARS)],
        ['tried again', formatDate(answer.retry_at)],
      ],
      style,
    );
  },
});

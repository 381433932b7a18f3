import type { ImportReportShape } from '../../operations/agents/parcel-shapes.ts';
import { formatFacts } from './print/layout.ts';
import { toOneLine } from './print/plain-text.ts';
import type { Style } from './print/style.ts';

const MAX_TEXT_CHARS = 200;
/** A whole key has to be seen to be named. */
const MAX_NEED_CHARS = 600;
const MEGABYTE = 1_000_000;

export function formatMegabytes(bytes: number): string {
  return bytes < MEGABYTE
    ? `${Math.ceil(bytes / 1_000)} kB`
    : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

const HEADLINES = {
  preview: 'would come in; nothing is stored:',
  imported: 'is imported:',
  present: 'is there already: this file was imported before',
} as const satisfies Record<ImportReportShape['outcome'], string>;

export function formatImport(report: ImportReportShape, style: Style): string {
  const { agent, outcome, creates } = report;
  const headline = `agent ${agent.slug} ${HEADLINES[outcome]}`;
  if (outcome === 'present') return headline;
  const facts = formatFacts(
    [
      ['name', toOneLine(agent.name, MAX_TEXT_CHARS)],
      ['id', agent.agent_id],
      ['signed by', `${report.parcel.key_id} (${report.parcel.trust})`],
      ['conversations', `${creates.sessions} with ${creates.messages} messages`],
      ['memories', formatMemories(creates)],
      ['facts', String(creates.facts)],
      ['jobs', creates.jobs === 0 ? '0' : `${creates.jobs}, paused`],
      ['skills', String(creates.skills)],
      ['capabilities', String(creates.capabilities)],
    ],
    style,
  );
  return [headline, facts, ...formatNeeds(report, style)].join('\n');
}

function formatMemories({ memories, pinned, untrusted }: ImportReportShape['creates']): string {
  return `${memories}, of which ${pinned} pinned there and ${untrusted} untrusted`;
}

function formatNeeds({ needs }: ImportReportShape, style: Style): string[] {
  return needs.map(({ blocking, message }) => {
    const line = toOneLine(message, MAX_NEED_CHARS);
    return blocking ? style.red(`needed: ${line}`) : style.yellow(`note: ${line}`);
  });
}

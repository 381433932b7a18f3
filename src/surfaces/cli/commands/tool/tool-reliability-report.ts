import { reportReliability } from '../../../../operations/tools/tools.ts';
import { askTools } from '../../ask/ask-tools.ts';
import { formatDate, formatTable } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';

export const toolReliabilityReport = defineCommand({
  usage: '',
  description:
    'Counted while tool_reliability.mode is shadow, and kept over restarts. Asks the running server, else reads what a\n' +
    'stopped one wrote.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw tool reliability report'],
  run: (_input, context) => askTools(context, reportReliability, {}),
  fields: ({ via, answer: report }) => ({
    mode: report.mode,
    since: report.since,
    tools_count: report.tools.length,
    tools: report.tools,
    via,
  }),
  text({ answer: report }) {
    const mode = `mode ${report.mode}`;
    if (report.since === null) return `${mode}; nothing was counted yet`;
    const rows = report.tools.map(({ tool, total, decisions }) => [
      toOneLine(tool, 100),
      String(total),
      Object.entries(decisions)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${name.replaceAll('_', ' ')} ${count}`)
        .join(', '),
    ]);
    return `${mode}, since ${formatDate(report.since)}\n${formatTable(rows)}`;
  },
});

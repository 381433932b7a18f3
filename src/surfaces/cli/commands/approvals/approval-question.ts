import type { EditPreview } from '../../../../core/approvals/proposed-change.ts';
import { toUnifiedDiff } from '../../../../core/unified-diff.ts';
import type { ApprovalShape } from '../../../../operations/approvals/approval-shapes.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

/** Whoever answers must have been able to see what for; what is longer is said to be. */
const MAX_SHOWN_CHARS = 8_000;

/** What a person is asked: the tool, what it would do, and why somebody has to say yes. */
export function describeQuestion(
  approval: ApprovalShape,
  preview: EditPreview | undefined,
  style: Style,
): string {
  const { id, tool, reason, always } = approval;
  const [text, paint] =
    preview === undefined
      ? [JSON.stringify(approval.arguments, null, 2), (line: string) => line]
      : [describeEdit(preview), (line: string) => paintDiff(line, style)];
  const shown = toPlainText(text.slice(0, MAX_SHOWN_CHARS));
  const isCut = text.length > MAX_SHOWN_CHARS;
  return [
    `${style.yellow('may it use')} ${style.bold(toOneLine(tool, 100))}${style.yellow('?')}`,
    ...shown.split('\n').map((line) => `  ${paint(line)}`),
    ...(isCut ? [style.yellow(`  … there is more: claw approvals show ${id}`)] : []),
    style.dim(`  ${toOneLine(reason, 400)}`),
    ...(always === null ? [] : [style.dim(`  always: ${toOneLine(always, 400)}`)]),
  ].join('\n');
}

function describeEdit(preview: EditPreview): string {
  const lines = toUnifiedDiff(preview);
  return lines.length === 0 ? `${preview.path} stays as it is` : lines.join('\n');
}

function paintDiff(line: string, style: Style): string {
  if (line.startsWith('@@')) return style.cyan(line);
  if (line.startsWith('+++') || line.startsWith('---')) return style.bold(line);
  if (line.startsWith('+')) return style.green(line);
  return line.startsWith('-') ? style.red(line) : line;
}

/** What can be typed for it. */
export function describeChoices({ always }: Pick<ApprovalShape, 'always'>): string {
  return always === null ? 'y/n' : 'y/n/always';
}

/** For those who can't be asked here. */
export function describeDecision(approvalId: string): string {
  return `claw approvals approve ${approvalId} lets it happen, claw approvals deny ${approvalId} refuses it`;
}

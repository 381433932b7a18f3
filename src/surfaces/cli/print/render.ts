import type { JsonObject } from '../../../core/json.ts';
import type { Output } from '../live.ts';
import { encodeDocument } from '../program/envelope.ts';
import type { Failure } from '../program/failure.ts';
import type { AskedOutput } from '../program/global-options.ts';
import { toPlainText } from './plain-text.ts';

export interface Report extends AskedOutput {
  readonly command: string;
  readonly completedAtMs: number;
  readonly fields: JsonObject;
  /** Only asked in text mode. */
  readonly text: () => string;
  readonly failure: Failure | undefined;
  /** Where an internal error came from; for standard error only. */
  readonly stack?: string | undefined;
}

/** Prints a report and answers with the exit code. */
export function render(report: Report, output: Output): number {
  const exitCode = exitCodeOf(report);
  if (report.format === 'json') {
    const document = encodeDocument({ ...report, exitCode }, report.envelope);
    output.print(`${JSON.stringify(document)}\n`);
    return exitCode;
  }
  output.print(withLineEnd(report.text()));
  if (report.failure) output.complain(describeFailure(report.failure, report, output));
  return exitCode;
}

function exitCodeOf({ failure, format }: Report): number {
  if (failure === undefined) return 0;
  // Scripts read JSON and know three codes; at a prompt a mistake in the command line is 2, as everywhere.
  if (format === 'text' && failure.error?.kind === 'parse') return 2;
  return failure.exitCode;
}

function describeFailure(failure: Failure, report: Report, output: Output): string {
  const { noteStyle } = output.live;
  const message = failure.exitCode === 1 ? failure.error.message : failure.message;
  const hint = failure.error?.hint;
  const lines = [
    `${noteStyle.red('error:')} ${toPlainText(message)}`,
    ...(hint === undefined ? [] : [`${noteStyle.dim('hint:')} ${toPlainText(hint)}`]),
    ...(report.stack === undefined ? [] : [report.stack]),
  ];
  return `${lines.join('\n')}\n`;
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

import type { Comparison } from './blocks.ts';

/** A line of the report: what was measured, the figure, and what it should be. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly verdict: Verdict;
  readonly note: string;
}

/** `void`: the control moved too much for the figure to count. `-`: no goal, for orientation. */
export type Verdict = 'met' | 'missed' | 'void' | '-';

export interface Report {
  readonly bench: string;
  readonly rows: readonly Row[];
  /** Figures as numbers, for whoever compares runs. */
  readonly figures: Readonly<Record<string, number>>;
}

/** A table for people, then the same as one line of JSON for the runner. */
export function printReport(report: Report): void {
  console.log(`\n${report.bench}`);
  for (const { what, measured, goal, verdict, note } of report.rows) {
    console.log(`  ${what.padEnd(54)} ${measured.padStart(16)}  ${goal.padEnd(12)} ${verdict}`);
    if (note !== '') console.log(`    ${note}`);
  }
  console.log(JSON.stringify(report));
}

export function ratioRow(what: string, comparison: Comparison, minRatio?: number): Row {
  const { ratio, lowest, highest, rate, control, controlRate, controlSpread } = comparison;
  return {
    what,
    measured: ratio.toFixed(2),
    goal: minRatio === undefined ? '-' : `≥ ${minRatio}`,
    verdict: judge(comparison.isVoid, minRatio === undefined ? undefined : ratio >= minRatio),
    note:
      `${whole(rate)}/s against ${whole(controlRate)}/s of ${control}; ratio ${lowest.toFixed(2)} to ` +
      `${highest.toFixed(2)}, control ± ${percent(controlSpread / 2)}`,
  };
}

export interface Limit {
  readonly unit: string;
  readonly max?: number;
  readonly digits?: number;
  readonly isVoid?: boolean;
  readonly note?: string;
}

export function limitRow(what: string, value: number, limit: Limit): Row {
  const { unit, max, digits = 2, isVoid = false, note = '' } = limit;
  return {
    what,
    measured: `${value.toFixed(digits)} ${unit}`,
    goal: max === undefined ? '-' : `≤ ${max} ${unit}`,
    verdict: judge(isVoid, max === undefined ? undefined : value <= max),
    note,
  };
}

/** So many a second at least. The machine's other work can only lower it, so a goal that is met is met. */
export function rateRow(what: string, rate: number, min: number): Row {
  return {
    what,
    measured: `${whole(rate)}/s`,
    goal: `≥ ${whole(min)}/s`,
    verdict: judge(false, rate >= min),
    note: '',
  };
}

export function judge(isVoid: boolean, isMet: boolean | undefined): Verdict {
  if (isMet === undefined) return '-';
  if (isVoid) return 'void';
  return isMet ? 'met' : 'missed';
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

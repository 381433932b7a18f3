import type { Run } from '../../core/runs/run.ts';
import { durationOf } from './run-fields.ts';
import type { Style } from './style.ts';

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  const rest = `${minutes % 60} min`;
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${rest}`;
}

/** `2026-02-15 09:30:00`, in the time of whoever reads it. */
export function formatLocalTime(ms: number): string {
  const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

export function formatStatus(status: Run['status'], style: Style, width = 0): string {
  const text = status.padEnd(width);
  switch (status) {
    case 'completed':
      return style.green(text);
    case 'failed':
      return style.red(text);
    case 'cancelled':
    case 'cancelling':
      return style.yellow(text);
    case 'queued':
    case 'running':
    case 'waiting':
      return style.cyan(text);
  }
}

/** `3.2 s, 1 tool call, 120 tokens in, 34 out, $0.0012`. */
export function formatTotals(run: Run): string {
  const { toolCalls, inputTokens, outputTokens, costUsd } = run.totals;
  return [
    formatDuration(durationOf(run)),
    toolCalls === 1 ? '1 tool call' : `${toolCalls} tool calls`,
    `${inputTokens ?? 'unknown'} tokens in, ${outputTokens ?? 'unknown'} out`,
    costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(4)}`,
  ].join(', ');
}

export function formatModel(run: Run): string {
  return run.provider === undefined ? '' : `${run.provider}/${run.model ?? ''}`;
}

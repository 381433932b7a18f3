import type { RunSummary } from '../../../operations/runs/run-shapes.ts';
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

export function formatStatus(status: RunSummary['status'], style: Style, width = 0): string {
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
export function formatTotals(run: RunSummary): string {
  const { tool_calls: toolCalls, usage } = run;
  return [
    formatDuration(run.duration_ms),
    toolCalls === 1 ? '1 tool call' : `${toolCalls} tool calls`,
    `${usage.input_tokens ?? 'unknown'} tokens in, ${usage.output_tokens ?? 'unknown'} out`,
    usage.cost_usd === null ? 'cost unknown' : `$${usage.cost_usd.toFixed(4)}`,
  ].join(', ');
}

export function formatModel({ provider, model }: RunSummary): string {
  return provider === '' ? '' : `${provider}/${model}`;
}

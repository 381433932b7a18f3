import type { CircuitShape, ToolDetailShape } from '../../../../operations/tools/tool-shapes.ts';
import { formatDuration } from '../../print/format.ts';
import { formatFacts } from '../../print/layout.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

export function formatTool(tool: ToolDetailShape, style: Style): string {
  const { breaker, retry, idempotency, mode } = tool.reliability;
  const traits = [
    tool.effect,
    ...(tool.idempotent ? ['idempotent'] : []),
    ...(tool.dedupe ? ['deduplicated'] : []),
    ...(tool.sends_key ? ['sends a key'] : []),
    ...tool.traits,
  ];
  const facts = formatFacts(
    [
      ['tool', toOneLine(tool.name, 100)],
      ['aliases', toOneLine(tool.aliases.join(', '), 400)],
      ['effect', toOneLine(traits.join(', '), 400)],
      ['needs', `permission mode ${tool.required_mode}`],
      [
        'limits',
        `${formatDuration(tool.limits.timeout_ms)}, ${tool.limits.max_output_bytes} bytes`,
      ],
      ['circuit', formatCircuit(tool.circuit_breaker, style)],
      ['guarded', `${tool.guarded ? 'yes' : 'no'} (mode ${mode})`],
      [
        'breaker',
        `opens after ${breaker.failure_threshold} failures in a row or ${breaker.failure_rate * 100} % of ` +
          `${breaker.window_size} calls, tries again after ${formatDuration(breaker.reset_timeout_ms)}`,
      ],
      [
        'retries',
        `${retry.max_retries}, ${retry.initial_delay_ms} to ${retry.max_delay_ms} ms apart, ` +
          `${formatDuration(retry.deadline_ms)} in all`,
      ],
      [
        'results',
        `kept ${formatDuration(idempotency.success_ttl_ms)}, failures ${formatDuration(idempotency.failure_ttl_ms)}`,
      ],
      ['source', toOneLine(tool.source, 200)],
    ],
    style,
  );
  return `${facts}\n\n${toPlainText(tool.description)}`;
}

/** `open, next trial in 12.0 s`. */
export function formatCircuit(circuit: CircuitShape, style: Style): string {
  switch (circuit.status) {
    case 'closed': {
      const { failures, measured, failed } = circuit;
      const counted = measured === 0 ? '' : `, ${failed} of ${measured} calls failed`;
      return `${style.green('closed')}${counted}${failures > 1 ? `, ${failures} in a row` : ''}`;
    }
    case 'forced_open':
      return style.red('opened by an operator');
    case 'open':
    case 'half_open': {
      const { retry_in_ms: retryInMs } = circuit;
      const when = retryInMs === null || retryInMs <= 0 ? 'now' : `in ${formatDuration(retryInMs)}`;
      return `${style.yellow(circuit.status)}, next trial ${when}`;
    }
  }
}

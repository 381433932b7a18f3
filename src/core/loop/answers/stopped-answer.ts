import type { StopReason } from '../../runs/run.ts';
import type { FinishReason } from '../model.ts';

/** Ends of an answer that its model did not choose. What such an answer asks for may be half, so nothing of it is done. */
type Stop = Extract<FinishReason, 'length' | 'content_filter'>;

export function isStopped(reason: FinishReason | undefined): reason is Stop {
  return reason === 'length' || reason === 'content_filter';
}

/** What whoever reads the answer is told, as part of it: on every surface that shows the text. */
export function stopNotice(reason: Stop, maxOutputTokens: number): string {
  return reason === 'length'
    ? `[Stopped: the model reached its output limit of ${maxOutputTokens} tokens. Ask it to go on, or raise model.max_output_tokens.]`
    : "[Stopped: the provider's content filter ended the answer.]";
}

export function toStopReason(reason: FinishReason | undefined): StopReason {
  return isStopped(reason) ? reason : 'completed';
}

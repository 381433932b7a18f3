import type * as z from 'zod';
import type { ToolEffect } from '../tools/tool.ts';
import type { Reliability } from './create-reliability.ts';
import type { Repeatability } from './fault.ts';
import type { CallFacts, HandlerContext } from './handler-context.ts';
import type { ReliabilitySettings } from './settings.ts';

/** A function and everything its guarding needs to know about it. */
export interface GuardedTool<P, R> {
  readonly toolId: string;
  readonly handler: (payload: P, context: HandlerContext) => Promise<R>;
  readonly effect: ToolEffect;
  readonly idempotent: boolean;
  readonly dedupe: boolean;
  readonly sendsKey: boolean;
  readonly input: z.ZodType<P> | undefined;
  readonly callerId: string;
  readonly settings: ReliabilitySettings;
  readonly reliability: Reliability;
}

/** One call on its way: what it is made with, and how many attempts it took. */
export interface GuardedCall<P> extends CallFacts {
  readonly payload: P;
  readonly signal: AbortSignal | undefined;
  /** When its first attempt began. */
  startedAtMs: number;
  attempts: number;
}

export function repeatabilityOf(
  tool: Pick<GuardedTool<never, unknown>, 'idempotent' | 'sendsKey'>,
  key: string | undefined,
): Repeatability {
  return { idempotent: tool.idempotent, hasStrongKey: tool.sendsKey && key !== undefined };
}

import * as z from 'zod';
import { defined } from '../defined.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { Fault } from './fault.ts';
import { isSoundKey, MAX_KEY_CHARS } from './idempotency/idempotency-key.ts';
import { isPlainJson } from './idempotency/stored-result.ts';
import { type CallStatus, toCallStatus } from './observer.ts';

const MAX_ID_CHARS = 256;

/** Contract 5's request. What it does not name is refused, so that a misspelt key is not a missing one. */
export const requestEnvelopeSchema = z.strictObject({
  toolId: z.string().min(1).max(MAX_ID_CHARS),
  executionId: z.uuidv4(),
  idempotencyKey: z
    .string()
    .refine(isSoundKey, `expected 1 to ${MAX_KEY_CHARS} well-formed characters`)
    .optional(),
  payload: z.custom<JsonObject>(
    (value) => isJsonObject(value) && isPlainJson(value),
    'expected a JSON object',
  ),
  metadata: z.looseObject({
    callerId: z.string().min(1).max(MAX_ID_CHARS),
    traceId: z.string().min(1).max(MAX_ID_CHARS).optional(),
    timestamp: z.iso.datetime({ offset: true }),
  }),
});

export type RequestEnvelope = z.infer<typeof requestEnvelopeSchema>;

/** Contract 5's response. */
export const responseEnvelopeSchema = z.strictObject({
  status: z.enum(['success', 'error', 'timeout', 'circuit_open']),
  data: z.unknown().optional(),
  error: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      retriable: z.boolean(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  durationMs: z.number().min(0),
  fromCache: z.boolean(),
  /** The call was made earlier, and its result was not kept. */
  isResultLost: z.literal(true).optional(),
});

export interface ResponseEnvelope {
  readonly status: CallStatus;
  readonly data?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly retriable: boolean;
    readonly details?: JsonObject;
  };
  readonly durationMs: number;
  readonly fromCache: boolean;
  readonly isResultLost?: true;
}

export interface ResponseFacts {
  readonly durationMs: number;
  readonly fromCache: boolean;
  readonly isResultLost?: boolean | undefined;
}

export function encodeSuccess(data: unknown, facts: ResponseFacts): ResponseEnvelope {
  return {
    status: 'success',
    ...defined({ data }),
    durationMs: facts.durationMs,
    fromCache: facts.fromCache,
    ...(facts.isResultLost ? { isResultLost: true } : {}),
  };
}

export function encodeFailure(fault: Fault, facts: ResponseFacts): ResponseEnvelope {
  const { code, message, retryable: retriable, details } = fault;
  return {
    status: toCallStatus(code),
    error: { code, message, retriable, ...defined({ details }) },
    durationMs: facts.durationMs,
    fromCache: facts.fromCache,
  };
}

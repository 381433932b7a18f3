/**
 * The error catalogue. Every fault and refusal the runtime knows has one code here; each surface maps all of them
 * with `satisfies Record<ErrorCode, …>`, so a new code does not compile until every surface has answered.
 */
export const TAXONOMIES = [
  'auth',
  'validation',
  'policy',
  'resource',
  'throttle',
  'dependency',
  'availability',
  'unknown',
] as const;
export type Taxonomy = (typeof TAXONOMIES)[number];

interface CatalogueEntry {
  readonly taxonomy: Taxonomy;
  /** Whether the same request may succeed later without anybody changing anything. */
  readonly retryable: boolean;
}

export const ERROR_CATALOGUE = {
  invalid_input: { taxonomy: 'validation', retryable: false },
  /** Well-formed, but its content is refused; `details.problems` lists why. */
  unprocessable: { taxonomy: 'validation', retryable: false },
  unsupported_media_type: { taxonomy: 'validation', retryable: false },
  payload_too_large: { taxonomy: 'validation', retryable: false },
  config_invalid: { taxonomy: 'validation', retryable: false },
  unauthenticated: { taxonomy: 'auth', retryable: false },
  /** Known, but not allowed: the thing is somebody else's. */
  forbidden: { taxonomy: 'auth', retryable: false },
  forbidden_origin: { taxonomy: 'auth', retryable: false },
  policy_denied: { taxonomy: 'policy', retryable: false },
  approval_required: { taxonomy: 'policy', retryable: false },
  not_found: { taxonomy: 'resource', retryable: false },
  method_not_allowed: { taxonomy: 'validation', retryable: false },
  conflict: { taxonomy: 'resource', retryable: false },
  stale_cursor: { taxonomy: 'resource', retryable: false },
  rate_limited: { taxonomy: 'throttle', retryable: true },
  queue_full: { taxonomy: 'throttle', retryable: true },
  /** A budget leaves no room: money or tokens of a project, an agent, a day or a run. */
  budget_exceeded: { taxonomy: 'throttle', retryable: false },
  tool_not_found: { taxonomy: 'resource', retryable: false },
  tool_input_invalid: { taxonomy: 'validation', retryable: false },
  tool_failed: { taxonomy: 'dependency', retryable: false },
  sandbox_required: { taxonomy: 'policy', retryable: false },
  sandbox_unavailable: { taxonomy: 'availability', retryable: false },
  circuit_open: { taxonomy: 'availability', retryable: true },
  outcome_unknown: { taxonomy: 'unknown', retryable: false },
  limit_reached: { taxonomy: 'throttle', retryable: false },
  cancelled: { taxonomy: 'unknown', retryable: false },
  lost_lease: { taxonomy: 'unknown', retryable: true },
  timeout: { taxonomy: 'availability', retryable: true },
  provider_misconfigured: { taxonomy: 'dependency', retryable: false },
  provider_failed: { taxonomy: 'dependency', retryable: true },
  storage_unavailable: { taxonomy: 'availability', retryable: true },
  shutting_down: { taxonomy: 'availability', retryable: true },
  internal: { taxonomy: 'unknown', retryable: false },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

export interface ErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Overrides the catalogue where one occurrence differs, as a provider's 400 differs from its 503. */
  readonly retryable?: boolean;
}

export class RuntimeError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RuntimeError';
    this.code = code;
    this.details = options.details;
    this.retryable = options.retryable ?? ERROR_CATALOGUE[code].retryable;
  }

  get taxonomy(): Taxonomy {
    return ERROR_CATALOGUE[this.code].taxonomy;
  }
}

/** The only place where an unknown throw becomes ours. Its message stays inside: it may carry anything. */
export function toRuntimeError(thrown: unknown): RuntimeError {
  if (thrown instanceof RuntimeError) return thrown;
  const code = systemErrorCode(thrown);
  if (code !== undefined && STORAGE_FAULTS.has(code)) {
    return new RuntimeError('storage_unavailable', `storage refused the operation (${code})`, {
      cause: thrown,
    });
  }
  return new RuntimeError('internal', 'internal error', { cause: thrown });
}

/** Faults of the disk under us: the operator can fix them, so they are not ours to call internal. */
const STORAGE_FAULTS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENFILE']);

function systemErrorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

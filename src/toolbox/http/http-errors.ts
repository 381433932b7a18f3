import { RuntimeError } from '../../core/errors.ts';
import { showPath as showText } from '../files/file-errors.ts';

/** Why a request was refused, in words for people. The keys are stable and go into `details.reason`. */
const DENIALS = {
  network_disabled:
    'the network is switched off (network.enabled); claw enable network HOST switches it on',
  secret_over_plain_http: 'secrets are sent over https only',
  'ssrf_block.invalid_url': 'the URL is not one that may be requested',
  'ssrf_block.host_not_allowed':
    'the host is not in network.allowed_domains; claw enable network HOST adds it',
  'ssrf_block.port_not_allowed': 'the port belongs to another protocol',
  'ssrf_block.private_address': 'the address is not a public one',
  'ssrf_block.metadata_endpoint': 'the address belongs to a cloud metadata service',
  'ssrf_block.redirect_limit_exceeded': 'there are too many redirects',
  'ssrf_block.redirect_missing_location': 'a redirect names no location',
  'ssrf_block.redirect_invalid_location': 'a redirect leads to a location that is not allowed',
} as const;

export type HttpDenial = keyof typeof DENIALS;

export function httpDenied(host: string, reason: HttpDenial, note?: string): RuntimeError {
  const shown = showText(host);
  const why = note === undefined ? DENIALS[reason] : `${DENIALS[reason]}: ${note}`;
  return new RuntimeError('policy_denied', `request to ${shown} denied (${why})`, {
    details: { host: shown, reason },
  });
}

export interface RequestFailure {
  readonly host: string;
  readonly reason: string;
  readonly message: string;
  /** Whether the same request may be made again by itself. */
  readonly retryable: boolean;
  /** Whether the other side may have acted on it. */
  readonly effect: 'none' | 'unknown';
}

export function requestFailed({ message, retryable, ...details }: RequestFailure): RuntimeError {
  return new RuntimeError('tool_failed', message, { details: { ...details }, retryable });
}

/** The same failure after the request was answered once: what it was to change may have changed. */
export function withUnknownEffect(thrown: unknown, mayRepeat: boolean): unknown {
  if (!(thrown instanceof RuntimeError)) return thrown;
  return new RuntimeError(thrown.code, thrown.message, {
    details: { ...thrown.details, effect: 'unknown' },
    cause: thrown,
    retryable: thrown.retryable && mayRepeat,
  });
}

export function headerInvalid(message: string): RuntimeError {
  return new RuntimeError('tool_input_invalid', message, { details: { field: 'headers' } });
}

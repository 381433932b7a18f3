import type { ErrorCode } from '../../core/errors.ts';

/** What a caller can do next, where an error does not know better and says so in `details.recovery_action`. */
export const RECOVERY_ACTIONS = {
  invalid_input: 'Correct what the message names and send the request again.',
  unprocessable: 'Correct what details.problems lists and send the request again.',
  unsupported_media_type: 'Send the body as JSON in UTF-8 with content-type: application/json.',
  payload_too_large: 'Send less in one request; details.limit_bytes, where given, is the most.',
  config_invalid: 'Correct the field that the message names in the configuration.',
  unauthenticated:
    'Send Authorization: Bearer with the token of the server: API_BEARER_TOKEN, or its .openclawssy/token.',
  forbidden: 'Ask as the one who owns it, or name something of your own.',
  forbidden_origin: 'Add the host or origin to server.allowed_hosts or server.allowed_origins.',
  policy_denied: 'Let an operator allow it in the policy, or ask for less.',
  approval_required: 'Let a person answer it with claw approvals, then send the request again.',
  not_found: 'Check the name; the list of such things shows which there are.',
  method_not_allowed: 'Use one of the methods in details.allow.',
  conflict: 'Read how it is now, and decide again.',
  stale_cursor: 'Start again from details.floor, or without a cursor.',
  rate_limited: 'Wait for details.retry_after_seconds and send the same request again.',
  queue_full: 'Wait until runs have ended and send the same request again.',
  budget_exceeded:
    'Raise the budget that the message names, or wait for the next day where it is one of a day.',
  tool_not_found: 'Check the name; GET /api/admin/tools lists the tools.',
  tool_input_invalid: 'Correct the input that the message names and call the tool again.',
  tool_failed: 'Read what the tool says in the message, mend it, and call it again.',
  sandbox_required: 'Let an operator switch the sandbox on (sandbox.active, sandbox.provider).',
  sandbox_unavailable:
    'Let an operator run claw doctor, which says why the sandbox does not start.',
  circuit_open: 'Wait until the circuit closes; claw tool circuit-breaker status shows when.',
  outcome_unknown: 'Look at claw effects list, check with the service, and settle it there.',
  limit_reached: 'Raise the limit that the message names, or wait until it is free again.',
  cancelled: 'Send it again if it is still wanted.',
  lost_lease: 'Send the same request again: another node has taken the work over.',
  timeout: 'Send it again later, or ask for less at once.',
  provider_misconfigured: 'Set the key or the address that the message names, then try again.',
  provider_failed: 'Try again in a while; the message says what the provider answered.',
  storage_unavailable: 'Try again in a few seconds; if it stays so, claw doctor says why.',
  shutting_down: 'Try again in a few seconds, when the server is back.',
  internal: 'Look in the log of the server for the x-request-id of this answer.',
} as const satisfies Record<ErrorCode, string>;

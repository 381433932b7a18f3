import { fingerprintWorkspace } from '../../../src/core/transcripts/fingerprint-workspace.ts';

export type Document = Readonly<Record<string, unknown>>;

/** What stands in fixtures for what differs from run to run; each is of the same form as the real thing. */
export const STEADY_ROOT = '/srv/project';
const STEADY_RUN = 'run_01jv8z4q0k6c3m5n7p9r1t2v4x';
const STEADY_SESSION = 'session-1776852600000-0';

const VOLATILE: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/run_[0-9a-hjkmnp-tv-z]{26}/g, STEADY_RUN],
  // All but the one that tests write down themselves.
  [/session-(?!1775777421902)\d{13}-\d+/g, STEADY_SESSION],
  [/"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"timestamp":"2026-04-22T10:10:00Z"'],
  [/"node_version":"[^"]+"/g, '"node_version":"24.0.0"'],
  [/"platform_name":"[^"]+"/g, '"platform_name":"linux"'],
  [/"duration_ms":\d+/g, '"duration_ms":12'],
  // The model is told of all tools, and those get more.
  [/("run_id":"[^"]*","input_tokens":)\d+/g, '$1100'],
];

/** A program's output with all that is volatile replaced. */
export function steady(output: string, root: string): string {
  const placed = output
    .replaceAll(root, STEADY_ROOT)
    .replaceAll(fingerprintWorkspace(root), fingerprintWorkspace(STEADY_ROOT));
  return VOLATILE.reduce((text, [pattern, value]) => text.replaceAll(pattern, value), placed);
}

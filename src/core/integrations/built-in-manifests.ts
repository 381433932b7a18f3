import type { JsonObject } from '../json.ts';
import type { ToolPack } from './manifest.ts';

/** An integration that is there from the first start, as the skill registry lists it. */
export interface BuiltInManifest {
  readonly toolId: string;
  readonly version: number;
  readonly toolPack: ToolPack;
  /** As on the wire. */
  readonly manifest: JsonObject;
}

export const BUILT_IN_MANIFESTS: readonly BuiltInManifest[] = [
  {
    toolId: 'github.primary',
    version: 1,
    toolPack: 'coding.v1',
    manifest: {
      manifest_version: 'coding.integration.v1',
      integration_id: 'github.primary',
      provider: 'github',
      status: 'active',
      tool_pack: 'coding.v1',
      capabilities: ['get_issue', 'get_pull_request', 'add_issue_comment'],
      secrets_ref: { provider: 'laravel', key_id: 'intsec_github_1' },
      policy: { write_operations_mode: 'enforce', max_requests_per_minute: 120 },
    },
  },
  {
    toolId: 'resend.primary',
    version: 1,
    toolPack: 'comms.v1',
    manifest: {
      manifest_version: 'comms.integration.v1',
      integration_id: 'resend.primary',
      provider: 'resend',
      status: 'active',
      tool_pack: 'comms.v1',
      capabilities: ['send_email', 'record_delivery_event'],
      secrets_ref: { provider: 'laravel', key_id: 'intsec_resend_1' },
      policy: {
        consent_required: false,
        suppression_mode: 'enforce',
        write_operations_mode: 'enforce',
        max_requests_per_minute: 120,
      },
    },
  },
];

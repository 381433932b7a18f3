export const TOOL_PACKS = ['coding.v1', 'comms.v1'] as const;

/** A set of operations that the runtime carries out with one kind of service. */
export type ToolPack = (typeof TOOL_PACKS)[number];

export function isToolPack(value: unknown): value is ToolPack {
  return TOOL_PACKS.some((pack) => pack === value);
}

/** `enforce` refuses; `audit_only` lets it pass and leaves it to the record. */
type GateMode = 'enforce' | 'audit_only';

/** One account with one service: what may be done there, with which key, and under which rules. */
export interface IntegrationManifest {
  readonly manifestVersion: string;
  readonly integrationId: string;
  readonly provider: 'github' | 'resend';
  readonly status: 'active' | 'inactive' | 'error';
  readonly toolPack: ToolPack;
  readonly capabilities: readonly string[];
  /** The name of the service's key in the secret store. */
  readonly keyId: string;
  readonly policy: ManifestPolicy;
}

interface ManifestPolicy {
  readonly writes: GateMode;
  readonly maxRequestsPerMinute: number;
  readonly defaultRepository: string | undefined;
  readonly defaultSender: string | undefined;
  readonly needsConsent: boolean;
  readonly suppression: GateMode;
}

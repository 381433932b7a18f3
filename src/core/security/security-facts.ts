import type { ReliabilityMode } from '../reliability/reliability-mode.ts';
import type { SandboxProbe } from '../sandbox/sandbox.ts';
import type { FoundFile } from './judge-files.ts';
import type { TokenWeakness } from './token-weakness.ts';

export const REMOTE_PROVIDERS = ['none', 'tailscale', 'cloudflare', 'proxy'] as const;
export type RemoteProvider = (typeof REMOTE_PROVIDERS)[number];

/** All that the checklist judges by, as it is at this moment. No secret is in it. */
export interface SecurityFacts {
  readonly tokenWeakness: TokenWeakness | undefined;
  readonly server: {
    readonly host: string;
    /** The real one, once a server listens. */
    readonly port: number;
    readonly allowedHosts: readonly string[];
    readonly maxRequests: number;
    readonly windowMs: number;
    readonly maxAuthFailures: number;
  };
  readonly remote: { readonly provider: RemoteProvider; readonly publicUrl: string | undefined };
  readonly openclawUrl: string | undefined;
  readonly voice: VoiceFacts;
  /** The private files that are there. */
  readonly files: readonly FoundFile[];
  /** Undefined when none is configured. */
  readonly sandbox: { readonly provider: string; readonly probe: SandboxProbe } | undefined;
  readonly shell: {
    readonly isEnabled: boolean;
    readonly allowed: readonly string[];
    readonly asked: readonly string[];
    readonly denied: readonly string[];
  };
  readonly network: {
    readonly isEnabled: boolean;
    readonly domains: readonly string[];
    readonly reachesLocalhost: boolean;
  };
  readonly reliability: ReliabilityMode;
  readonly approvals: {
    readonly hasRuleOfTwo: boolean;
    /** Tools that a rule allows whatever they are called with. */
    readonly blanketTools: readonly string[];
  };
  readonly audit: AuditMark | undefined;
  readonly hasBudget: boolean;
  readonly backup: BackupMark | undefined;
  readonly nodeVersion: string;
}

export interface VoiceFacts {
  readonly stt: string;
  readonly tts: string;
  /** Variables of keys that a chosen provider needs and nobody has set. */
  readonly missingKeys: readonly string[];
  /** Choices that name no provider, as `STT_PROVIDER=mock`. */
  readonly unknown: readonly string[];
}

/** Left by the last check of all records. */
export interface AuditMark {
  readonly atMs: number;
  readonly faults: number;
}

/** Left by the last backup that was written and verified. */
export interface BackupMark {
  readonly atMs: number;
  readonly file: string;
}

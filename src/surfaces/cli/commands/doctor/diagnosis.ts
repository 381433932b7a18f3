import type { SandboxProbe } from '../../../../core/sandbox/sandbox.ts';
import type { OwnFile } from '../../../../core/security/judge-files.ts';
import type { SecurityFacts } from '../../../../core/security/security-facts.ts';
import type { TokenWeakness } from '../../../../core/security/token-weakness.ts';
import type { McpServer } from '../../../../operations/mcp/mcp-servers.ts';

/** What `claw doctor` asks of the rest of the program. Every probe looks and changes nothing. */
export interface Diagnosis {
  readonly paths: {
    readonly stateDir: string;
    readonly tokenFile: string;
  };
  /** Throws `config_invalid`, naming file and field. */
  loadSettings(): Promise<Settings>;
  /** Throws when the store can't be used: unreachable, damaged, of a newer version. */
  checkStore(): Promise<StoreState>;
  /** How many of the newest runs in the audit files the database does not know whole. An absent one knows none. */
  countLosses(state: 'ready' | 'absent'): Promise<number>;
  /** Throws when it does not answer. Only asked when configured. */
  pingRedis(): Promise<void>;
  /** Throws when there are secrets that can't be read. */
  checkSecrets(): Promise<SecretsState>;
  /** Keys of model providers, without their values. Throws for one that no provider could be sent. */
  listProviderKeys(): Promise<readonly ProviderKeyPlace[]>;
  /** Runs a command in it. Only asked when configured. */
  probeSandbox(): Promise<SandboxProbe>;
  /** What the security checklist goes by, without a server. */
  readSecurityFacts(): Promise<SecurityFacts>;
  /** Connects to each server and disconnects again. What tools say is neither compared nor remembered. */
  tryMcpServers(): Promise<readonly McpServer[]>;
  /** Throws `provider_misconfigured`, naming what is missing. */
  describeModel(): Promise<ModelChoice>;
}

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly workspaceDir: string;
  readonly hasRedis: boolean;
  readonly sandbox: 'bwrap' | 'docker' | undefined;
  readonly hasMcpServers: boolean;
  /** Where the bearer token comes from, if there is one yet. */
  readonly tokenFrom: 'environment' | 'file' | undefined;
  /** Why the bearer token could be guessed. */
  readonly tokenWeakness: TokenWeakness | undefined;
  /** Ours, whether they are there yet or not. */
  readonly files: readonly OwnFile[];
}

export interface StoreState {
  /** `absent`: the first start creates it. `old`: the next start migrates it. */
  readonly state: 'ready' | 'absent' | 'old';
  readonly summary: string;
  /** Of the embedded database: what was written and is not in its file yet. */
  readonly logBytes?: number;
  /** Of a database elsewhere: how far its clock is ahead of ours. */
  readonly clockAheadMs?: number;
}

export interface SecretsState {
  readonly count: number;
  /** The file or the variable; undefined while there is no key. */
  readonly keyPlace: string | undefined;
}

export interface ProviderKeyPlace {
  readonly provider: string;
  /** The variable, the secret or the field that holds it. */
  readonly place: string;
  /** Of one that lies open in the configuration file: the secret that could hold it instead. */
  readonly betterPlace: string | undefined;
}

export interface ModelChoice {
  readonly reference: string;
  readonly isOffline: boolean;
}

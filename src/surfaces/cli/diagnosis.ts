import type { SandboxProbe } from '../../core/sandbox/sandbox.ts';
import type { McpServerShape } from './mcp-access.ts';

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
  /** Throws when it does not answer. Only asked when configured. */
  pingRedis(): Promise<void>;
  /** Runs a command in it. Only asked when configured. */
  probeSandbox(): Promise<SandboxProbe>;
  /** Connects to each server and disconnects again. What tools say is neither compared nor remembered. */
  tryMcpServers(): Promise<readonly McpServerShape[]>;
  /** Throws `provider_misconfigured`, naming what is missing. */
  describeModel(): Promise<ModelChoice>;
}

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly hasRedis: boolean;
  readonly sandbox: 'bwrap' | 'docker' | undefined;
  readonly hasMcpServers: boolean;
  /** Where the bearer token comes from, if there is one yet. */
  readonly tokenFrom: 'environment' | 'file' | undefined;
}

export interface StoreState {
  /** `absent`: the first start creates it. `old`: the next start migrates it. */
  readonly state: 'ready' | 'absent' | 'old';
  readonly summary: string;
}

export interface ModelChoice {
  readonly reference: string;
  readonly isOffline: boolean;
}

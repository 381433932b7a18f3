import type { Agents } from '../../../core/agents/agents.ts';
import type { EditPreview } from '../../../core/approvals/proposed-change.ts';
import type { Chat } from '../../../core/chat/chat.ts';
import type { Clock } from '../../../core/clock.ts';
import type { ConfigEditor, FieldProblem } from '../../../core/config-editor.ts';
import type { Costs } from '../../../core/costs/costs.ts';
import type { Handoffs } from '../../../core/handoffs/handoffs.ts';
import type { ExtensionEntry, Extensions } from '../../../core/inventory/inventory-entry.ts';
import type { KillSwitch } from '../../../core/kill-switch/kill-switch.ts';
import type { Facts } from '../../../core/knowledge/facts.ts';
import type { Knowledge } from '../../../core/knowledge/knowledge.ts';
import type { Memories } from '../../../core/memory/memories.ts';
import type { Bridge } from '../../../core/openclaw/bridge.ts';
import type { Parcels } from '../../../core/parcels/parcels.ts';
import type { AuditReader, GivenFilesReport } from '../../../core/records/audit-reader.ts';
import type { RecoveryReport } from '../../../core/records/recover.ts';
import type { Forks } from '../../../core/replay/forks.ts';
import type { Replays } from '../../../core/replay/replays.ts';
import type { Runs } from '../../../core/runs/runs.ts';
import type { Jobs } from '../../../core/schedule/jobs.ts';
import type { Secrets } from '../../../core/secrets/secrets.ts';
import type { SigningKey } from '../../../core/secrets/signing-key.ts';
import type { AuditMark } from '../../../core/security/security-facts.ts';
import type { Sessions } from '../../../core/sessions/sessions.ts';
import type { Storage } from '../../../core/storage.ts';
import type { TranscriptStore } from '../../../core/transcripts/transcript-store.ts';
import type { ApprovalWriting } from '../../../operations/approvals/approvals.ts';
import type { CapabilityWriting } from '../../../operations/capabilities/capabilities.ts';
import type { EffectWriting } from '../../../operations/effects/effects.ts';
import type { McpServers } from '../../../operations/mcp/mcp-servers.ts';
import type { ToolWriting } from '../../../operations/tools/tools.ts';
import type {
  BackupOptions,
  BackupReport,
  RestoreOptions,
  RestoreReport,
} from '../commands/backup/backup-access.ts';
import type { OpenedComms } from '../commands/comms/comms-access.ts';
import type { Diagnosis } from '../commands/doctor/diagnosis.ts';
import type { OpenedProjection } from '../commands/projection/projection-access.ts';
import type { LocalSkills } from '../commands/skills/skills-access.ts';
import type { LocalVoice } from '../commands/voice/voice-access.ts';
import type { Live } from '../live.ts';
import type { CommandSchemas } from '../schemas/command-schemas.ts';
import type { CommandList } from './command-list.ts';

export type OutputFormat = 'text' | 'json';

/** What a command is given: where it works, whom it may ask, and how to say something before its result. */
export interface CliContext {
  /** Absolute path of the state root. */
  readonly root: string;
  readonly rootFrom: StateRoot['from'];
  readonly parts: ProgramParts;
  /** The commands of this program. */
  readonly commands: CommandList;
  readonly live: Live;
  readonly input: InputStream;
  readonly clock: Clock;
  /** Aborts at Ctrl-C and its like. */
  readonly signal: AbortSignal;
}

export interface StateRoot {
  /** Absolute. */
  readonly path: string;
  /** Who named it; `above` is the nearest folder upwards that is one. */
  readonly from: 'flag' | 'environment' | 'working_directory' | 'above';
}

export interface InputStream extends AsyncIterable<Buffer | string> {
  readonly isTTY?: boolean;
  /** On a terminal: whether keys arrive one by one and unseen. */
  setRawMode?(isRaw: boolean): unknown;
}

/** The rest of the program, each part loaded when a command first asks for it. `main.ts` puts it together. */
export interface ProgramParts {
  readonly version: string;
  /** Whether the terminal can only print: no cursor that moves, nothing drawn again. */
  readonly isDumbTerminal: boolean;
  /** What somebody probably meant. */
  findClosestName(name: string, known: readonly string[]): Promise<string | undefined>;
  /** What the build has written down of the JSON documents of all commands. */
  readSchemas(): Promise<CommandSchemas>;
  /** Skills and plugins around a state root, found without its configuration or database. */
  findExtensions(root: string): Promise<Extensions>;
  /** The instructions that a skill or a plugin's command stands for. */
  readExtensionText(entry: ExtensionEntry): Promise<string>;
  /** The server that published itself in the state root; it may have stopped answering. */
  findServer(root: string): Promise<ServerAddress | undefined>;
  /** Executes runs in this process. `warn` hears what an operator should know. */
  openLocal(options: LocalOptions): Promise<LocalRuntime>;
  /** For reading only; undefined when nothing was ever stored. */
  openStore(root: string): Promise<ReadOnlyStore | undefined>;
  /** Transcripts of a workspace, or of a folder; files only, so that it needs nothing else of the program. */
  openTranscripts(root: string, directory?: string): Promise<TranscriptStore>;
  /** The secret store of a state root, without a runtime around it. Creates nothing by itself. */
  openSecrets(options: LocalOptions): Promise<LocalSecrets>;
  /** Specs and releases of a state root, without a runtime around them. Reading creates nothing. */
  openSkills(options: SkillsOptions): Promise<LocalSkills>;
  /** The configuration file of a state root, without a runtime around it. Reading creates nothing. */
  openConfig(options: LocalOptions): Promise<ConfigEditor>;
  /** Throws `not_found` for a named file that is not there. */
  checkConfig(request: ConfigCheckRequest): Promise<ConfigCheck>;
  /** Whether something of a state root is in the folder. */
  hasState(root: string): boolean;
  prepareRoot(root: string, options?: PrepareOptions): Promise<FilledRoot>;
  serve(options: ServeOptions): Promise<RunningServer>;
  /** False when this machine has no browser to show it in. */
  openBrowser(url: string): Promise<boolean>;
  /** Speaks MCP over the standard streams of the process. Warnings go to standard error. */
  serveMcp(root: string): Promise<McpSession>;
  /** What was copied to the sink, on the database of a state root. Creates nothing. */
  openProjection(options: LocalOptions): Promise<OpenedProjection>;
  /** Speech, by this machine or by providers. Only installing it creates something. */
  openVoice(options: LocalOptions): Promise<LocalVoice>;
  /** Suppressed recipients, likewise. */
  openComms(options: LocalOptions): Promise<OpenedComms>;
  /** What a call of a file tool would make of a file; undefined for other calls, and when it can't be told. */
  previewEdit(request: PreviewRequest): Promise<EditPreview | undefined>;
  openAuditReader(root: string): Promise<AuditReader>;
  /** Leaves on record when all was verified. Nothing where there is no state root. */
  noteAudit(root: string, mark: AuditMark): Promise<void>;
  /** Files that somebody was handed, with no state root around them. */
  verifyGivenFiles(request: GivenFiles): Promise<GivenFilesReport>;
  /** The key that this node signs its audit files with. */
  openAuditKey(root: string): Promise<AuditKey>;
  /** Settles what the database has lost. Throws `conflict` while a server runs. */
  recover(options: RecoverOptions): Promise<RecoveryReport>;
  /** Writes the whole installation into one file, and verifies it. */
  backUp(options: BackupOptions): Promise<BackupReport>;
  /** Throws `conflict` for a root that is in use or not empty. */
  restore(options: RestoreOptions): Promise<RestoreReport>;
  diagnose(root: string): Promise<Diagnosis>;
}

export interface GivenFiles {
  readonly files: readonly string[];
  /** Public keys in base64; undefined takes whoever signed. */
  readonly trusted: readonly string[] | undefined;
  readonly isPart: boolean;
  readonly onProgress: (lines: number) => void;
}

interface AuditKey {
  find(): Promise<SigningKey | undefined>;
  /** Makes it when there is none. */
  get(): Promise<SigningKey>;
}

export interface PreviewRequest {
  readonly root: string;
  /** Where the call would work; the workspace of the root when left out. */
  readonly workspaceDir?: string;
  readonly tool: string;
  readonly input: unknown;
}

export interface ServerAddress {
  readonly url: string;
  readonly token: string | undefined;
  /** Then its answers are what this program declares, and need no checking. */
  readonly isSameBuild: boolean;
}

export interface LocalOptions {
  readonly root: string;
  readonly warn: (message: string) => void;
  /** Also executes what waits in the queue, as a server would, instead of only what it submits itself. */
  readonly takesQueue?: boolean;
  /** Creates nothing where nothing is: what a new state root would say is asked of one that is thrown away. */
  readonly isLooking?: boolean;
}

interface RecoverOptions extends Pick<LocalOptions, 'root' | 'warn'> {
  readonly way: 'from_audit' | 'accept_loss';
}

interface SkillsOptions extends LocalOptions {
  readonly access: 'read' | 'write';
}

export interface LocalRuntime {
  readonly runs: Runs;
  readonly replays: Replays;
  readonly forks: Forks;
  readonly admin: AdminServices;
  readonly mcp: McpServers;
  readonly openclaw: Bridge;
  readonly agents: Agents;
  readonly parcels: Parcels;
  readonly sessions: Sessions;
  readonly chat: Chat;
  readonly jobs: Jobs;
  readonly killSwitch: KillSwitch;
  readonly costs: Costs;
  readonly memories: Memories;
  readonly handoffs: Handoffs;
  readonly facts: Facts;
  readonly knowledge: Knowledge;
  /** `provider/name` that agents get which name none. */
  describeModel(): Promise<string>;
  /** From now on also executes what waits in the queue: a run comes back through it when its question is answered. */
  takeQueue(): void;
  close(): Promise<void>;
}

interface ConfigCheckRequest {
  readonly root: string;
  /** Another file than the one of the state root. */
  readonly file: string | undefined;
}

interface ConfigCheck {
  readonly file: string;
  readonly isThere: boolean;
  readonly problems: readonly FieldProblem[];
}

interface LocalSecrets extends Secrets {
  /** A key from the environment can't be replaced by us: whoever rotates gives the new one. */
  readonly masterKeyFrom: 'environment' | 'file';
  close(): Promise<void>;
}

/** The core's services for operators. */
export type AdminServices = EffectWriting & ApprovalWriting & ToolWriting & CapabilityWriting;

export type ReadOnlyStore = Pick<
  Storage,
  | 'engine'
  | 'runs'
  | 'events'
  | 'records'
  | 'wakeups'
  | 'effects'
  | 'approvals'
  | 'agents'
  | 'sessions'
  | 'jobs'
  | 'killSwitch'
  | 'costs'
  | 'counts'
  | 'facts'
  | 'feed'
  | 'handoffs'
  | 'projects'
  | 'close'
>;

interface PreparedRoot {
  readonly created: readonly string[];
  readonly warnings: readonly string[];
}

interface PrepareOptions {
  /** For a configuration that is not there yet. */
  readonly workspaceRoot?: string;
}

export interface FilledRoot extends PreparedRoot {
  /** Absolute. */
  readonly workspaceDir: string;
  /** What needed not be created, because it was there. */
  readonly existing: readonly string[];
}

export interface ServeOptions {
  readonly root: string;
  readonly host?: string;
  readonly port?: string;
  readonly model?: string;
  readonly logLevel?: string;
  /** Writes no log lines: standard error must stay empty beside a JSON document. */
  readonly isSilent: boolean;
}

export interface RunningServer extends PreparedRoot {
  readonly url: string;
  /** `provider/name` that runs get which name none. */
  readonly model: string;
  readonly engine: string;
  readonly workspaceDir: string;
  /** The file that holds the bearer token, or the environment variable that does. */
  readonly tokenIn: { readonly file: string } | { readonly variable: string };
  /** To its dashboard; signs in once. */
  createDashboardLink(): string;
  close(): Promise<void>;
}

export interface McpSession {
  /** Resolves when the client has closed its side. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

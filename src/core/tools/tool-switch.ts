/** Why a tool that exists is not offered to anybody, and what changes it: a command, or a restart. */
export interface ToolSwitch {
  readonly reason: string;
  readonly fix: string;
}

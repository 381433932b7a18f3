/** Why a tool that exists is not offered to anybody, and the command that changes it. */
export interface ToolSwitch {
  readonly reason: string;
  readonly fix: string;
}

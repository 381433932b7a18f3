import type { Command } from './command.ts';

/** A command before it is loaded: enough for the list of commands, and the way to the rest. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly group: CommandGroup;
  load(): Promise<Command>;
}

type CommandGroup =
  | 'Start here'
  | 'Runs'
  | 'Agents and sessions'
  | 'Memory'
  | 'Transcripts'
  | 'Schedule'
  | 'Knowledge'
  | 'Voice'
  | 'Decide'
  | 'Tools'
  | 'Skills'
  | 'Inventory'
  | 'Operate'
  | 'This program';

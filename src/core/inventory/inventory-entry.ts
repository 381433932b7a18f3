import type { ToolEffect } from '../tools/tool.ts';

/** Where an entry comes from: this program, a plugin's folder, a skill's folder, or an external tool server. */
export type EntryOrigin = 'builtin' | 'plugin' | 'skill' | 'mcp';

/** Something that can be looked up by name: enough to say what it is for and where it is defined. */
export interface InventoryEntry {
  readonly kind: 'command' | 'tool';
  readonly name: string;
  /** Other names it is known by, in their usual spelling. */
  readonly aliases: readonly string[];
  /** The file that defines it. */
  readonly sourceHint: string;
  readonly responsibility: string;
  readonly origin: EntryOrigin;
}

export interface ToolEntry extends InventoryEntry {
  readonly kind: 'tool';
  readonly effect: ToolEffect;
}

/** A command that a skill or a plugin brings. */
export interface ExtensionEntry extends InventoryEntry {
  readonly kind: 'command';
  readonly origin: 'plugin' | 'skill';
  /** Absolute path of the text it stands for; undefined when the plugin names none. */
  readonly file: string | undefined;
}

/** A skill or plugin that was found and could not be used. */
export interface ExtensionProblem {
  readonly path: string;
  readonly message: string;
}

export interface Extensions {
  readonly entries: readonly ExtensionEntry[];
  readonly problems: readonly ExtensionProblem[];
}

/** All that can be named. */
export interface Inventory {
  readonly commands: readonly InventoryEntry[];
  readonly tools: readonly ToolEntry[];
}

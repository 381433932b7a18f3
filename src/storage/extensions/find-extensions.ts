import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type {
  ExtensionEntry,
  ExtensionProblem,
  Extensions,
} from '../../core/inventory/inventory-entry.ts';
import { isInside } from '../../platform/is-inside.ts';
import { type Complain, type ExtensionFolder, findExtensionFolder } from './extension-folder.ts';
import { findPluginCommands } from './find-plugin-commands.ts';
import { type FoundCommand, findCommandFiles, findSkills } from './find-skills.ts';

export interface ExtensionPlaces {
  /** The state root. */
  readonly root: string;
  readonly workspaceDir: string;
  /** Undefined for a user who has none. */
  readonly homeDir: string | undefined;
}

const MAX_ENTRIES = 1_000;
const MAX_PROBLEMS = 100;

const SKILL_FOLDERS = ['.claw/skills', '.agents/skills', '.codex/skills'] as const;
const COMMAND_FOLDER = '.claw/commands';
const PLUGIN_FOLDER = '.claw/plugins';

/** Looks for skills and plugins in the usual folders. What is broken is told, and hides nothing else. */
export async function findExtensions(places: ExtensionPlaces): Promise<Extensions> {
  const root = await toReal(places.root);
  const homeDir = places.homeDir === undefined ? undefined : await toReal(places.homeDir);
  const workspaceDir = await toReal(places.workspaceDir);
  const search = new Search({ root, homeDir, workspaceDir });
  // Agents write in the workspace: what lies there must not take the place of what its owner put elsewhere.
  await search.look(root, [...SKILL_FOLDERS, 'skills']);
  if (homeDir !== undefined) await search.look(homeDir, SKILL_FOLDERS);
  await search.look(workspaceDir, [...SKILL_FOLDERS, 'skills']);
  return search.end();
}

/** A place that is not there holds nothing, under whatever name. */
function toReal(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

class Search {
  readonly #places: ExtensionPlaces;
  readonly #entries = new Map<string, ExtensionEntry>();
  readonly #problems: ExtensionProblem[] = [];
  readonly #visited = new Set<string>();

  constructor(places: ExtensionPlaces) {
    this.#places = places;
  }

  async look(place: string, skillFolders: readonly string[]): Promise<void> {
    for (const name of skillFolders) {
      await this.#visit(join(place, name), place, async (folder) => {
        this.#add('skill', await findSkills(folder, this.#complain));
      });
    }
    await this.#visit(join(place, COMMAND_FOLDER), place, async (folder) => {
      this.#add('skill', await findCommandFiles(folder, this.#complain));
    });
    await this.#visit(join(place, PLUGIN_FOLDER), place, async (folder) => {
      for (const name of folder.directories) {
        this.#add('plugin', await findPluginCommands(folder, name, this.#complain));
      }
    });
  }

  end(): Extensions {
    return { entries: [...this.#entries.values()], problems: this.#problems };
  }

  /** Once, also when the workspace is the root, or the root is somebody's home. */
  async #visit(
    path: string,
    place: string,
    work: (folder: ExtensionFolder) => Promise<void>,
  ): Promise<void> {
    const folder = await findExtensionFolder(place, relative(place, path), this.#complain);
    if (folder === undefined || this.#visited.has(folder.path)) return;
    this.#visited.add(folder.path);
    await work(folder);
  }

  #add(origin: 'plugin' | 'skill', commands: readonly FoundCommand[]): void {
    for (const { declaredIn, ...command } of commands) {
      const key = `${origin} ${command.name.toLowerCase()}`;
      if (this.#entries.has(key) || this.#entries.size >= MAX_ENTRIES) continue;
      const sourceHint = this.#shorten(declaredIn);
      this.#entries.set(key, { kind: 'command', ...command, sourceHint, origin });
    }
  }

  readonly #complain: Complain = ({ path, message }) => {
    if (this.#problems.length >= MAX_PROBLEMS) return;
    this.#problems.push({ path: this.#shorten(path), message });
  };

  /** From the root where that is possible, as a person there would write it. */
  #shorten(path: string): string {
    const { root, homeDir } = this.#places;
    if (isInside(root, path)) return relative(root, path);
    if (homeDir === undefined || !isInside(homeDir, path)) return path;
    return join('~', relative(homeDir, path));
  }
}

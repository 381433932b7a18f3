import { join, resolve } from 'node:path';
import { isInside } from '../../platform/is-inside.ts';
import type { ConfigProblem } from '../config-problem.ts';
import type { ParsedConfig } from '../schema/schema.ts';
import type { StatePaths } from './state-paths.ts';

type Places = Pick<ParsedConfig, 'workspace' | 'secrets'>;

/** What tools may touch and what they must never reach can't lie within each other. */
export function findPlaceProblems(places: Places, paths: StatePaths): ConfigProblem[] {
  return [...findWorkspaceProblems(places, paths), ...findSecretProblems(places, paths)];
}

function findWorkspaceProblems({ workspace }: Places, paths: StatePaths): ConfigProblem[] {
  const workspaceDir = resolve(paths.root, workspace.root);
  const reserved = [paths.stateDir, join(paths.root, '.claw')].find((folder) =>
    isInside(folder, workspaceDir),
  );
  if (reserved === undefined) return [];
  const fix = 'choose a folder outside .openclawssy and .claw';
  return [{ field: 'workspace.root', problem: `is inside ${reserved}`, fix }];
}

function findSecretProblems({ workspace, secrets }: Places, paths: StatePaths): ConfigProblem[] {
  const workspaceDir = resolve(paths.root, workspace.root);
  const taken = new Set<string>(Object.values(paths));
  const problems: ConfigProblem[] = [];
  for (const name of ['store_file', 'master_key_file'] as const) {
    const file = resolve(paths.root, secrets[name]);
    const field = `secrets.${name}`;
    // Tools never reach the state folder, also where the project around it is the workspace.
    if (isInside(workspaceDir, file) && !isInside(paths.stateDir, file)) {
      const fix = 'choose a path outside the workspace';
      problems.push({ field, problem: 'is inside the workspace, where tools may read', fix });
    } else if (taken.has(file)) {
      problems.push({ field, problem: 'is taken by another file', fix: 'choose another path' });
    }
    taken.add(file);
  }
  return problems;
}

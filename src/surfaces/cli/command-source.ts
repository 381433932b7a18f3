const FOLDER = 'src/surfaces/cli/commands';

/** Files that are not named after their command, or define several. */
const SOURCES: Readonly<Record<string, string>> = {
  help: 'src/surfaces/cli/explain.ts',
  'tool circuit-breaker status': `${FOLDER}/tool-circuit-breaker.ts`,
  'tool circuit-breaker open': `${FOLDER}/tool-circuit-breaker.ts`,
  'tool circuit-breaker reset': `${FOLDER}/tool-circuit-breaker.ts`,
  'stop-all': `${FOLDER}/kill-switch/stop-all.ts`,
  'resume-all': `${FOLDER}/kill-switch/resume-all.ts`,
  observability: `${FOLDER}/observability/observability.ts`,
  backup: `${FOLDER}/backup/backup.ts`,
  restore: `${FOLDER}/backup/restore.ts`,
  'agents sleep': `${FOLDER}/agents/set-status.ts`,
  'agents wake': `${FOLDER}/agents/set-status.ts`,
};

/** Nouns whose commands have a folder of their own. */
const NOUNS = new Set([
  'agents',
  'audit',
  'costs',
  'handoff',
  'knowledge',
  'memory',
  'openclaw',
  'projects',
  'security',
  'voice',
]);

/** The file that defines a command. A test compares the answers with what the table loads. */
export function findCommandSource(name: string): string {
  const [noun = ''] = name.split(' ');
  const folder = NOUNS.has(noun) ? `${FOLDER}/${noun}` : FOLDER;
  return SOURCES[name] ?? `${folder}/${name.replaceAll(' ', '-')}.ts`;
}

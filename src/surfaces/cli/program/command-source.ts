const FOLDER = 'src/surfaces/cli/commands';

/** Files that are not named after their command, or define several. */
const SOURCES: Readonly<Record<string, string>> = {
  help: 'src/surfaces/cli/program/explain.ts',
  'tool circuit-breaker status': `${FOLDER}/tool/tool-circuit-breaker.ts`,
  'tool circuit-breaker open': `${FOLDER}/tool/tool-circuit-breaker.ts`,
  'tool circuit-breaker reset': `${FOLDER}/tool/tool-circuit-breaker.ts`,
  doctor: `${FOLDER}/doctor/doctor.ts`,
  handoff: `${FOLDER}/handoff/handoff.ts`,
  'enable shell': `${FOLDER}/switches/enable-shell.ts`,
  'enable network': `${FOLDER}/switches/enable-network.ts`,
  'disable shell': `${FOLDER}/switches/disable-shell.ts`,
  'disable network': `${FOLDER}/switches/disable-network.ts`,
  'stop-all': `${FOLDER}/kill-switch/stop-all.ts`,
  'resume-all': `${FOLDER}/kill-switch/resume-all.ts`,
  observability: `${FOLDER}/observability/observability.ts`,
  backup: `${FOLDER}/backup/backup.ts`,
  restore: `${FOLDER}/backup/restore.ts`,
  'agents sleep': `${FOLDER}/agents/set-status.ts`,
  'agents wake': `${FOLDER}/agents/set-status.ts`,
};

/** The file that defines a command. A test compares the answers with what the table loads. */
export function findCommandSource(name: string): string {
  const [noun = '', verb] = name.split(' ');
  const folder = verb === undefined ? FOLDER : `${FOLDER}/${noun}`;
  return SOURCES[name] ?? `${folder}/${name.replaceAll(' ', '-')}.ts`;
}

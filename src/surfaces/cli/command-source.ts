const FOLDER = 'src/surfaces/cli/commands';

/** Files that are not named after their command, or define several. */
const SOURCES: Readonly<Record<string, string>> = {
  help: 'src/surfaces/cli/explain.ts',
  'tool circuit-breaker status': `${FOLDER}/tool-circuit-breaker.ts`,
  'tool circuit-breaker open': `${FOLDER}/tool-circuit-breaker.ts`,
  'tool circuit-breaker reset': `${FOLDER}/tool-circuit-breaker.ts`,
};

/** The file that defines a command. A test compares the answers with what the table loads. */
export function findCommandSource(name: string): string {
  return SOURCES[name] ?? `${FOLDER}/${name.replaceAll(' ', '-')}.ts`;
}

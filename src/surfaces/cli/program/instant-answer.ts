import { versionLine } from '../print/version-line.ts';

export interface InstantQuestion {
  readonly argv: readonly string[];
  readonly outputFormat: string | undefined;
  readonly version: string;
}

/** The two questions that need no program to answer them. Anything beside the bare word goes the long way. */
export function findInstantAnswer(question: InstantQuestion): string | Promise<string> | undefined {
  const { argv, outputFormat, version } = question;
  if (argv.length !== 1 || outputFormat !== undefined) return undefined;
  switch (argv[0]) {
    case '--version':
    case '-V':
    case 'version':
      return `${versionLine(version)}\n`;
    case '--help':
    case '-h':
    case 'help':
      return loadHelp();
    default:
      return undefined;
  }
}

async function loadHelp(): Promise<string> {
  const { explainProgram } = await import('./help-text.ts');
  const { plainStyle } = await import('../print/style.ts');
  return `${explainProgram().text(plainStyle)}\n`;
}

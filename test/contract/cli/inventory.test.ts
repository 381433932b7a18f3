import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeContractCommand, type Prepare, parseFailure } from './contract-command.ts';

const EXTENSIONS = {
  '.claw/skills/review/SKILL.md':
    '---\nname: review\ndescription: Reviews a change\n---\nRead the change.\n',
  '.claw/plugins/tidy/plugin.json': JSON.stringify({
    name: 'tidy',
    commands: [{ name: 'sweep', description: 'Sweeps the workspace', file: 'sweep.md' }],
  }),
  '.claw/plugins/tidy/sweep.md': 'Sweep it.\n',
  '.claw/plugins/broken/plugin.json': 'not json',
};

const withExtensions: Prepare = async (root) => {
  for (const [file, text] of Object.entries(EXTENSIONS)) {
    await mkdir(dirname(join(root.path, file)), { recursive: true });
    await writeFile(join(root.path, file), text);
  }
  return undefined;
};

describeContractCommand({
  command: 'show-command',
  success: {
    args: ['doctor'],
    text: 'doctor\nsrc/surfaces/cli/commands/doctor/doctor.ts\nCheck this machine and the state root, with a fix for each finding\n',
  },
  failures: [
    {
      title: 'not found',
      args: ['docter'],
      fields: { name: 'docter', found: false },
      error: {
        kind: 'command_not_found',
        operation: 'find_command',
        target: 'docter',
        retryable: false,
        message: 'command not found: docter',
        hint: 'did you mean doctor?',
      },
      legacyKind: 'command_not_found',
      textCode: 1,
    },
    parseFailure('without a name', [], {
      target: 'show-command',
      message: 'argument NAME is missing',
      hint: 'usage: claw show-command NAME',
    }),
  ],
});

describeContractCommand({
  command: 'show-tool',
  success: {
    args: ['bashtool'],
    text: 'BashTool\nsrc/toolbox/shell/shell-exec.ts\nRun a command in the workspace, inside a sandbox without network.\n',
  },
  failures: [
    {
      title: 'not found',
      args: ['no.such.tool.anywhere'],
      fields: { name: 'no.such.tool.anywhere', found: false },
      error: {
        kind: 'tool_not_found',
        operation: 'find_tool',
        target: 'no.such.tool.anywhere',
        retryable: false,
        message: 'tool not found: no.such.tool.anywhere',
        hint: 'claw tool-pool lists them',
      },
      legacyKind: 'tool_not_found',
      textCode: 1,
    },
    parseFailure('with two names', ['fs.read', 'fs.edit'], {
      target: 'show-tool',
      message: 'unexpected argument "fs.edit"',
      hint: 'usage: claw show-tool NAME',
    }),
  ],
});

describeContractCommand({
  command: 'route',
  success: {
    args: ['edit recorded altered', '--limit', '2'],
    text: 'command\taudit verify\t0.6667\tsrc/surfaces/cli/commands/audit/audit-verify.ts\ntool\tfs.edit\t0.3333\tsrc/toolbox/files/fs-edit.ts\n',
  },
  failures: [
    parseFailure('without a prompt', [], {
      target: 'route',
      message: 'argument PROMPT is missing',
      hint: 'usage: claw route PROMPT [--limit N]',
    }),
    parseFailure('with a limit of 0', ['edit', '--limit', '0'], {
      target: 'route',
      message: 'option --limit must be a whole number from 1 to 200 (it is "0")',
    }),
  ],
});

describeContractCommand({
  command: 'command-graph',
  prepare: withExtensions,
  success: {
    args: [],
    text: /^# Command Graph\n\nBuiltins: \d+\nPlugin-like commands: 1\nSkill-like commands: 1\nproblem: \S+ is not a JSON object\n$/,
  },
  failures: [
    parseFailure('with an unknown option', ['--outptu-format', 'json'], {
      target: 'command-graph',
      message: 'unknown option --outptu-format',
      hint: 'did you mean --output-format?',
    }),
  ],
});

describeContractCommand({
  command: 'tool-pool',
  success: {
    args: ['--simple-mode', '--deny-tool', 'BashTool'],
    text: [
      '# Tool Pool',
      '',
      'Simple mode: true',
      'Include MCP: true',
      'Tool count: 2',
      '- fs.edit: src/toolbox/files/fs-edit.ts',
      '- fs.read: src/toolbox/files/fs-read.ts',
      '',
    ].join('\n'),
  },
  failures: [
    parseFailure('with an empty value', ['--deny-tool='], {
      target: 'tool-pool',
      message: 'option --deny-tool must not be empty',
    }),
  ],
});

describeContractCommand({
  command: 'bootstrap-graph',
  success: { args: [], text: /^# Bootstrap Graph\n\n(- [^\n]+\n){5,}$/ },
  failures: [
    parseFailure('with an argument', ['now'], {
      target: 'bootstrap-graph',
      message: 'unexpected argument "now"',
      hint: 'usage: claw bootstrap-graph',
    }),
  ],
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprintWorkspace } from '../../../src/core/transcripts/fingerprint-workspace.ts';
import { openClawRoot } from '../../e2e/cli/claw.ts';
import { describeContractCommand, type Prepare, parseFailure } from './contract-command.ts';
import { STEADY_ROOT, steady } from './steady.ts';

const DIRECTORY = `${STEADY_ROOT}/.claw/sessions/${fingerprintWorkspace(STEADY_ROOT)}`;

const withNotes: Prepare = async (root) => {
  await mkdir(join(root.path, 'workspace'));
  await writeFile(join(root.path, 'workspace/notes.txt'), 'buy milk\n');
  return undefined;
};

describeContractCommand({
  command: 'exec-command',
  success: {
    args: ['show-tool', 'fs.read'],
    text: 'fs.read\nsrc/toolbox/files/fs-read.ts\nRead a text file in the workspace.\n',
  },
  failures: [
    {
      title: 'not found',
      args: ['no-such-command', 'do it'],
      fields: {
        name: 'no-such-command',
        prompt: 'do it',
        handled: false,
        message: 'command not found: no-such-command',
        found: false,
      },
      error: {
        kind: 'command_not_found',
        operation: 'find_command',
        target: 'no-such-command',
        retryable: false,
        message: 'command not found: no-such-command',
        hint: 'claw command-graph lists them',
      },
      legacyKind: 'command_not_found',
      textCode: 1,
    },
    {
      title: 'of a command that holds the terminal',
      args: ['serve', ''],
      fields: {
        name: 'serve',
        prompt: '',
        handled: false,
        message: "serve can't be executed by another command",
        source_hint: 'src/surfaces/cli/commands/serve.ts',
      },
      error: {
        kind: 'usage',
        operation: 'exec_command',
        target: 'serve',
        retryable: false,
        message: "serve can't be executed by another command",
        hint: 'run claw serve itself',
      },
      legacyKind: 'usage',
      textCode: 1,
    },
    parseFailure('without a name', [], {
      target: 'exec-command',
      message: 'argument NAME is missing',
      hint: 'usage: claw exec-command NAME [PROMPT] [--agent ID]',
    }),
  ],
});

describeContractCommand({
  command: 'exec-tool',
  prepare: withNotes,
  success: {
    args: ['FileReadTool', 'notes.txt'],
    text: /^read notes\.txt\n\{\n {2}"content": "buy milk\\n",\n[^}]+\}\n$/,
    notes: /^fs\.read \{"path":"notes\.txt"\}\nfs\.read ok, \d+ ms: read notes\.txt\n$/,
  },
  failures: [
    {
      title: 'not found',
      args: ['no.such.tool.anywhere', 'x'],
      fields: {
        name: 'no.such.tool.anywhere',
        payload: 'x',
        handled: false,
        message: 'tool not found: no.such.tool.anywhere',
        found: false,
      },
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
    parseFailure('without a name', [], {
      target: 'exec-tool',
      message: 'argument NAME is missing',
      hint: 'usage: claw exec-tool NAME [PAYLOAD] [--agent ID] [--idempotency-key KEY] [--timeout-seconds S]',
    }),
  ],
});

describeContractCommand({
  command: 'bootstrap',
  prepare: withNotes,
  success: {
    args: ['read notes.txt', '--limit', '2'],
    text: new RegExp(
      '^# Runtime Session\n\nPrompt: read notes\\.txt\n\n## Routed Matches\n(?:- [^\n]+\n){2}\n' +
        '## Tools Used\n- fs\\.read: read notes\\.txt\n\n## Turn Result\n[\\s\\S]*buy milk[\\s\\S]*\n\n' +
        `stop_reason=completed\nPersisted session path: ${DIRECTORY}/session-\\d+-0\\.jsonl\n$`,
    ),
    notes: /^fs\.read \{"path":"notes\.txt"\}\nfs\.read ok, \d+ ms: read notes\.txt\n$/,
  },
  failures: [
    {
      title: 'for an agent that is not there',
      args: ['hello', '--agent', 'nobody'],
      fields: { name: 'nobody', found: false },
      error: {
        kind: 'agent_not_found',
        operation: 'find_agent',
        target: 'nobody',
        retryable: false,
        message: 'agent nobody does not exist',
        hint: 'claw agents list shows the agents there are',
      },
      legacyKind: 'agent_not_found',
      textCode: 1,
    },
    parseFailure('without a prompt', [], {
      target: 'bootstrap',
      message: 'argument PROMPT is missing',
      hint: 'usage: claw bootstrap PROMPT [--limit N] [--timeout-seconds S]',
    }),
  ],
});

describeContractCommand({
  command: 'turn-loop',
  prepare: withNotes,
  success: {
    args: [
      'read notes.txt',
      '--max-turns',
      '2',
      '--continuation-prompt',
      'list files',
      '--limit=2',
      '--timeout-seconds=60',
    ],
    text: /^## Turn 1\n[\s\S]*buy milk[\s\S]*\nstop_reason=completed\n\n## Turn 2\n[\s\S]*- notes\.txt\nstop_reason=completed\n$/,
    notes: /^fs\.read [^\n]+\nfs\.read ok, [^\n]+\nfs\.list [^\n]+\nfs\.list ok, [^\n]+\n$/,
  },
  failures: [
    {
      title: 'going on with a session that is not there',
      args: ['hello', '--session', 'absent'],
      fields: { name: 'absent', found: false },
      error: {
        kind: 'session_not_found',
        operation: 'resolve_session',
        target: 'absent',
        retryable: false,
        message: `session 'absent' not found in ${DIRECTORY}`,
        hint: 'claw list-sessions shows the sessions there are',
      },
      legacyKind: 'session_not_found',
      textCode: 1,
    },
    parseFailure('without turns', ['hello', '--max-turns', '0'], {
      target: 'turn-loop',
      message: 'option --max-turns must be a whole number from 1 to 1000 (it is "0")',
    }),
  ],
});

test('turn-loop: out of time is exit code 2, without an error in 2.0, as an error in 1.0', async () => {
  const root = await openClawRoot();
  const args = ['turn-loop', 'hello', '--timeout-seconds', '0', '--limit', '1'];

  const current = await root.inline([...args, '--output-format', 'json']);
  const legacy = await root.inline([...args, '--output-format', 'json', '--legacy-envelope']);
  const text = await root.claw(args);
  await root.dispose();

  expect(current).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(steady(current.stdout, root.path))).toMatchObject({
    exit_code: 2,
    turns_completed: 0,
    timeout_seconds: 0,
    turns: [{ prompt: 'hello', output: '', stop_reason: 'timeout', cancel_observed: false }],
    final_stop_reason: 'timeout',
    final_cancel_observed: false,
    persisted_session_path: null,
  });
  expect(JSON.parse(current.stdout)).not.toHaveProperty('error');
  expect(legacy).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(legacy.stdout)).toEqual({
    type: 'error',
    error: 'out of time',
    kind: 'timeout',
    hint: null,
  });
  expect(text).toMatchObject({
    code: 2,
    stdout: '## Turn 1\n\nstop_reason=timeout\n',
    stderr: 'error: out of time\n',
  });
});

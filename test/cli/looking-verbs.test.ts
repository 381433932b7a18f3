import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMAND_TABLE } from '../../src/surfaces/cli/program/command-table.ts';
import { runClaw } from '../support/run-claw.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

/** Verbs that only look, each with arguments it understands and the exit code it has where there is nothing. */
const LOOKING: Readonly<Record<string, readonly [exitCode: number, ...args: string[]]>> = {
  'runs list': [0],
  'runs show': [1, 'run_absent'],
  'runs watch': [1, 'run_absent'],
  'runs steer': [1, 'run_absent', 'hello'],
  'runs cancel': [1, 'run_absent'],
  'runs replay': [1, 'run_absent'],
  'runs fork': [1, 'run_absent', '--at', '1'],
  'runs diff': [1, 'run_absent', 'run_absent_too'],
  'agents list': [0],
  'agents show': [1, 'absent'],
  'agents update': [1, 'absent', '--name', 'x'],
  'agents permissions': [1, 'absent', '--memory', 'private'],
  'agents sleep': [1, 'absent'],
  'agents wake': [1, 'absent'],
  'agents delete': [1, 'absent'],
  'agents export': [1, 'absent', '-o', 'absent.claw'],
  'sessions list': [0],
  'sessions show': [1, 'absent'],
  'sessions messages': [1, 'absent'],
  'sessions close': [1, 'absent'],
  'sessions compact': [1, 'absent'],
  'sessions fork': [1, 'absent'],
  'list-sessions': [0],
  'load-session': [1, 'absent'],
  'delete-session': [1, 'absent'],
  'schedule list': [0],
  'schedule show': [1, 'absent'],
  'schedule update': [1, 'absent', '--every', '1h'],
  'schedule remove': [1, 'absent'],
  'schedule pause': [1, 'absent'],
  'schedule resume': [1, 'absent'],
  'schedule history': [1, 'absent'],
  'schedule preview': [1, 'absent'],
  'handoff list': [0],
  'handoff show': [1, 'handoff_absent'],
  'knowledge feed': [0, '--project', 'absent'],
  'knowledge graph': [0, '--project', 'absent'],
  'knowledge facts': [0],
  'projects list': [0],
  'projects status': [0, 'absent'],
  'projects events': [0, 'absent'],
  'voice status': [0],
  'voice say': [1, 'hello'],
  'voice listen': [1, 'absent.wav'],
  'costs summary': [0],
  'costs budgets': [0],
  'approvals list': [0],
  'approvals show': [1, 'appr_absent'],
  'approvals approve': [1, 'appr_absent'],
  'approvals deny': [1, 'appr_absent'],
  'effects list': [0],
  'effects show': [1, 'req_absent'],
  'effects resolve': [1, 'req_absent', '--status', 'failed'],
  'policy list': [0],
  'tool list': [0],
  'tool show': [0, 'fs.read'],
  'tool circuit-breaker status': [0, 'fs.read'],
  'tool idempotency list': [0, 'fs.read'],
  'tool reliability report': [0],
  'openclaw status': [0],
  'openclaw connect': [1],
  'mcp list': [0],
  'mcp approve': [1, 'absent', 'tool'],
  'skills list': [0],
  'skills verify': [0],
  'skills export': [1, 'absent', '1', 'folder'],
  route: [0, 'list files'],
  'show-command': [0, 'init'],
  'show-tool': [0, 'fs.read'],
  'command-graph': [0],
  'tool-pool': [0],
  'bootstrap-graph': [0],
  status: [0],
  'config get': [0],
  'config validate': [0],
  'secrets list': [0],
  'secrets delete': [1, 'absent'],
  'comms suppressions': [0],
  'comms lift': [1, 'someone@example.com'],
  'projection status': [0],
  'projection rebuild': [1, '--all'],
  observability: [0],
  'security check': [0],
  backup: [1, '../absent.backup'],
  'memory search': [0, 'tea'],
  'memory list': [0],
  'memory show': [1, 'mem_absent'],
  'memory update': [1, 'mem_absent', '--priority', '9'],
  'memory pin': [1, 'mem_absent'],
  'memory unpin': [1, 'mem_absent'],
  'memory delete': [1, 'mem_absent'],
  'memory status': [0],
  'audit verify': [0],
  'audit export': [1, '--run', 'run_absent'],
  'audit key': [1],
  recover: [0, '--from-audit'],
  doctor: [0],
  dashboard: [1],
  completion: [0, 'bash'],
  schema: [0],
  version: [0],
};

/** Verbs whose work needs a state root: they make one where there is none. */
const WORKING = [
  ...['init', 'serve', 'ask', 'chat', 'exec-tool', 'exec-command', 'bootstrap', 'turn-loop'],
  ...['flush-transcript', 'agents create', 'schedule add', 'policy grant', 'policy revoke'],
  ...['agents spawn', 'agents import', 'handoff', 'knowledge add', 'knowledge forget'],
  ...['tool circuit-breaker open', 'tool circuit-breaker reset', 'tool idempotency flush'],
  ...['mcp serve', 'skills publish', 'skills install', 'config set', 'config unset'],
  ...['stop-all', 'resume-all', 'memory add', 'memory import'],
  ...['costs usage', 'costs set-budget', 'costs unset-budget'],
  ...['secrets set', 'secrets rotate', 'restore', 'voice install'],
  ...['enable shell', 'enable network', 'disable shell', 'disable network'],
];

let temp: TempRoot;

beforeEach(async () => {
  temp = await openTempRoot();
});

afterEach(() => temp.remove());

test('every command either only looks or works', () => {
  const known = [...Object.keys(LOOKING), ...WORKING].sort();

  expect(COMMAND_TABLE.map(({ name }) => name).sort()).toEqual(known);
});

test.each(Object.entries(LOOKING))('%s leaves an empty directory empty', async (name, looked) => {
  const [expected, ...args] = looked;

  const argv = [...name.split(' '), ...args, '--output-format', 'json'];
  const { code, stdout } = await runClaw(temp.path, argv);

  expect([code, stdout]).toEqual([expected, expect.stringContaining('"schema_version"')]);
  expect(await readdir(temp.path)).toEqual([]);
});

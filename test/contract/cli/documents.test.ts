import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_TABLE } from '../../../src/surfaces/cli/program/command-table.ts';
import { type ClawRoot, openClawRoot, runIdIn } from '../../e2e/cli/claw.ts';
import { runClaw } from '../../support/run-claw.ts';
import { documentSchemaOf } from './document-schemas.ts';
import type { Document } from './steady.ts';
import { findProblems } from './validate-schema.ts';

let root: ClawRoot;

beforeAll(async () => {
  root = await openClawRoot();
});

afterAll(() => root.dispose());

const claw = (...args: readonly string[]) =>
  runClaw(root.path, [...args, '--output-format', 'json'], { input: 'a-secret-value' });

/** Real documents of the verbs beside the contract, in an order in which each has something to show. */
const COMMAND_LINES: readonly (readonly string[])[] = [
  ['init'],
  ['ask', '/tool fs.write {"path":"a.txt","content":"a"}'],
  ['chat', 'what time is it?'],
  ['chat', '/help'],
  ['runs', 'list'],
  ['runs', 'show', '<run>'],
  ['runs', 'watch', '<run>'],
  ['runs', 'cancel', '<run>'],
  ['runs', 'replay', '<run>'],
  ['runs', 'fork', '<talk>', '--at', '2'],
  ['runs', 'diff', '<run>', '<run>'],
  ['agents', 'list'],
  ['agents', 'create', 'helper'],
  ['agents', 'show', 'helper'],
  ['agents', 'update', 'helper', '--role', 'tester'],
  ['agents', 'spawn', 'Lince', '--role', 'researcher'],
  ['agents', 'permissions', 'lince', '--memory', 'private'],
  ['agents', 'sleep', 'lince'],
  ['agents', 'wake', 'lince'],
  ['agents', 'export', 'lince', '-o', '<parcel>'],
  ['agents', 'import', '<parcel>', '--as', 'Lince Two'],
  ['agents', 'delete', 'lince'],
  ['memory', 'add', 'tea is at five'],
  ['memory', 'search', 'tea'],
  ['memory', 'list'],
  ['memory', 'show', '<memory>'],
  ['memory', 'update', '<memory>', '--priority', '9'],
  ['memory', 'pin', '<memory>'],
  ['memory', 'unpin', '<memory>'],
  ['memory', 'delete', '<memory>'],
  ['memory', 'status'],
  ['memory', 'import', '<memories>'],
  ['costs', 'summary'],
  ['costs', 'usage', '--project', 'proj_001', '--agent', 'helper', '--cost', '0.25'],
  ['costs', 'set-budget', 'project', '--project', 'proj_001', '--usd', '15'],
  ['costs', 'budgets'],
  ['costs', 'unset-budget', 'project', '--project', 'proj_001'],
  ['stop-all', '--reason', 'night'],
  ['resume-all'],
  ['sessions', 'list'],
  ['sessions', 'show', '<session>'],
  ['sessions', 'messages', '<session>'],
  ['sessions', 'compact', '<session>'],
  ['sessions', 'fork', '<session>'],
  ['sessions', 'close', '<session>'],
  ['schedule', 'add', '--every', '1h', '--message', 'look around', '--id', 'job1'],
  ['schedule', 'list'],
  ['schedule', 'show', 'job1'],
  ['schedule', 'pause', 'job1'],
  ['schedule', 'resume', 'job1'],
  ['schedule', 'pause', '--all'],
  ['schedule', 'resume', '--all'],
  ['schedule', 'history', 'job1'],
  ['schedule', 'preview', 'job1'],
  ['schedule', 'update', 'job1', '--message', 'look again'],
  ['schedule', 'remove', 'job1'],
  ['handoff', 'agent_default', 'helper', '--project', 'proj_001', 'look at it'],
  ['handoff', 'list'],
  ['handoff', 'show', '<handoff>'],
  ['knowledge', 'add', 'socket', 'listens on', 'port 1', '--project', 'proj_001'],
  ['knowledge', 'facts', '--as', 'pincer'],
  ['knowledge', 'feed', '--project', 'proj_001', '--as', 'pincer'],
  ['knowledge', 'graph', '--project', 'proj_001', '--as', 'pincer'],
  ['knowledge', 'forget', '<fact>'],
  ['projects', 'list'],
  ['projects', 'status', 'proj_001'],
  ['projects', 'events', 'proj_001', '--as', 'pincer'],
  ['approvals', 'list'],
  ['effects', 'list'],
  ['policy', 'list'],
  ['policy', 'grant', 'fs.write'],
  ['policy', 'revoke', 'fs.write'],
  ['tool', 'list'],
  ['tool', 'show', 'fs.write'],
  ['tool', 'circuit-breaker', 'status', 'fs.write'],
  ['tool', 'circuit-breaker', 'open', 'fs.write'],
  ['tool', 'circuit-breaker', 'reset', 'fs.write'],
  ['tool', 'idempotency', 'list', 'fs.write'],
  ['tool', 'idempotency', 'flush', 'fs.write'],
  ['tool', 'reliability', 'report'],
  ['mcp', 'list'],
  ['skills', 'publish', 'github-coding', '1'],
  ['skills', 'list'],
  ['skills', 'verify'],
  ['skills', 'export', 'github-coding', '1', '<folder>'],
  ['skills', 'install', '<folder>'],
  ['config', 'get'],
  ['config', 'get', 'server.port'],
  ['config', 'set', 'server.port', '3001'],
  ['config', 'unset', 'server.port'],
  ['config', 'validate'],
  ['secrets', 'set', 'provider/openai/api_key'],
  ['secrets', 'list'],
  ['secrets', 'delete', 'provider/openai/api_key'],
  ['secrets', 'rotate'],
  ['comms', 'suppressions'],
  ['projection', 'status'],
  ['config', 'set', 'projection.sink', 'file'],
  ['projection', 'rebuild', '--all'],
  ['audit', 'verify'],
  ['audit', 'export', '--run', '<run>'],
  ['audit', 'key'],
  // The usual port may be taken on the machine that runs this.
  ['config', 'set', 'server.port', '0'],
  ['recover', '--from-audit'],
  ['doctor'],
  ['status'],
  ['observability', '--window', '5'],
  ['security', 'check'],
  ['voice', 'status'],
  ['openclaw', 'status'],
  ['backup', '<backup>'],
  ['restore', '<backup>', '--replace'],
  ['enable', 'network', 'api.example.com'],
  ['disable', 'network'],
  ['enable', 'shell', 'git status'],
  ['disable', 'shell'],
  ['schema'],
  ['schema', 'doctor'],
  ['version'],
  ['help'],
  ['help', 'runs'],
  ['help', 'ask'],
  ['completion', 'bash'],
];

test('documents of every other verb fit their schemas, member by member', async () => {
  const known: Record<string, string> = {
    '<folder>': join(root.path, 'exported'),
    '<parcel>': join(root.path, 'lince.claw'),
    '<backup>': join(root.path, 'x.backup'),
    '<memories>': join(root.path, 'memories.jsonl'),
  };
  await writeFile(known['<memories>'] ?? '', '{"content":"coffee is at ten"}\n');

  for (const words of COMMAND_LINES) {
    const args = words.map((word) => known[word] ?? word);
    const { code, stdout, stderr } = await claw(...args);
    const document = JSON.parse(stdout) as Document;
    if (words[0] === 'ask') known['<run>'] = runIdIn(stdout);
    if (words[0] === 'chat') known['<talk>'] ??= runIdIn(stdout);
    if (typeof document['session_id'] === 'string') known['<session>'] ??= document['session_id'];
    if (typeof document['handoff_id'] === 'string') known['<handoff>'] = document['handoff_id'];
    if (typeof document['memory_id'] === 'string') known['<memory>'] ??= document['memory_id'];
    const { fact } = document as { fact?: { fact_id: string } };
    if (fact) known['<fact>'] = fact.fact_id;
    const command = String(document['command']);

    expect([words, code, stderr]).toEqual([words, 0, '']);
    expect([words, findProblems(documentSchemaOf(command), document)]).toEqual([words, []]);
  }
}, 240_000);

test('documents of an effect fit their schemas, and of what is not there', async () => {
  const validate = async (command: string, ...args: string[]) => {
    const { stdout } = await claw(...command.split(' '), ...args);
    const document = JSON.parse(stdout) as Document;
    return { document, problems: findProblems(documentSchemaOf(command), document) };
  };
  const { document } = await validate('effects list');
  const [effect] = document['effects'] as { id: string }[];

  const shown = await validate('effects show', effect?.id ?? '');
  const absent = await validate('runs show', 'run_absent');

  expect([shown.document['exit_code'], shown.problems]).toEqual([0, []]);
  expect([absent.document['exit_code'], absent.problems]).toEqual([1, []]);
});

test('the documents of a server that listens, and of a link to its dashboard, fit their schemas', async () => {
  const server = root.start(['serve', '--port', '0', '--output-format', 'json']);

  const stdout = await server.saw('stdout', '\n');
  const link = await claw('dashboard', '--no-open');

  expect(findProblems(documentSchemaOf('serve'), JSON.parse(stdout))).toEqual([]);
  expect(link.code).toBe(0);
  expect(findProblems(documentSchemaOf('dashboard'), JSON.parse(link.stdout))).toEqual([]);
});

test('no verb was forgotten above', () => {
  // Of the contract, with tests of their own; needing an approval, an unknown effect, a run on its way, an external server or files of their own; tried apart.
  const ELSEWHERE =
    /^(?:runs steer|(?:list|load|delete)-session.*|flush-transcript|show-(?:command|tool)|exec-(?:command|tool)|route|bootstrap(?:-graph)?|command-graph|tool-pool|turn-loop|approvals (?:show|approve|deny)|effects (?:show|resolve)|mcp (?:approve|serve)|comms lift|voice (?:install|say|listen)|openclaw connect|dashboard|serve)$/;
  const tried = new Set(COMMAND_LINES.map((words) => words.join(' ')));

  const forgotten = COMMAND_TABLE.map(({ name }) => name).filter(
    (name) =>
      !ELSEWHERE.test(name) && ![...tried].some((line) => `${line} `.startsWith(`${name} `)),
  );

  expect(forgotten).toEqual([]);
});

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintWorkspace } from '../../../src/core/transcripts/fingerprint-workspace.ts';
import type { ClawRoot } from '../../e2e/cli/claw.ts';

export const SESSION_ID = 'session-1775777421902-0';
const CREATED_AT_MS = 1_775_777_421_902;

/** The files that other programs of this contract write, not our own encoder's. */
const RECORDS = (workspaceRoot: string) => [
  {
    type: 'session_meta',
    version: 1,
    session_id: SESSION_ID,
    created_at_ms: CREATED_AT_MS,
    updated_at_ms: CREATED_AT_MS + 60_000,
    workspace_root: workspaceRoot,
    model: 'offline/rules',
  },
  { type: 'prompt_history', timestamp_ms: CREATED_AT_MS, text: 'hello' },
  { type: 'message', message: { role: 'user', blocks: [{ type: 'text', text: 'hello' }] } },
  {
    type: 'message',
    message: {
      role: 'assistant',
      blocks: [{ type: 'text', text: 'hello yourself' }],
      usage: { input_tokens: 12, output_tokens: 3 },
    },
  },
];

function sessionsFolder(root: ClawRoot): string {
  return join(root.path, '.claw/sessions', fingerprintWorkspace(root.path));
}

/** One transcript with two messages. */
export async function storeSession(root: ClawRoot): Promise<undefined> {
  const lines = RECORDS(root.path).map((record) => JSON.stringify(record));
  await storeText(root, `${lines.join('\n')}\n`);
}

/** A transcript with a line in its middle that is none. */
export async function storeDamagedSession(root: ClawRoot): Promise<undefined> {
  const [meta, ...rest] = RECORDS(root.path).map((record) => JSON.stringify(record));
  await storeText(root, `${[meta, 'not json', ...rest].join('\n')}\n`);
}

async function storeText(root: ClawRoot, text: string): Promise<void> {
  const folder = sessionsFolder(root);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, `${SESSION_ID}.jsonl`), text, { mode: 0o600 });
  await chmod(folder, 0o700);
}

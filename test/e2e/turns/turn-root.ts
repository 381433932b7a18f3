import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ClawRoot, type Document, type InlineOptions, normalize } from '../cli/claw.ts';

export const JSON_FORMAT = ['--output-format', 'json'];

/** Every behaviour holds with a server and without one. */
export const PLACES = ['local', 'server'] as const;

const SESSION_ID = /session-\d+-\d+/g;

export interface Answer {
  readonly code: number | null;
  readonly document: Document;
}

/** Runs a command in the process of the test to its one document, with ids replaced; nothing else may be printed. */
export async function askDocument(
  root: ClawRoot,
  args: readonly string[],
  options: InlineOptions = {},
): Promise<Answer> {
  const { code, stdout, stderr } = await root.inline([...JSON_FORMAT, ...args], options);
  if (stderr !== '') throw new Error(`standard error is not empty: ${stderr}`);
  return { code, document: normalize(stdout.replace(SESSION_ID, '<session>'), root.path) };
}

export async function configure(root: ClawRoot, config: object): Promise<void> {
  const stateDir = join(root.path, '.openclawssy');
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await writeFile(join(stateDir, 'config.json'), JSON.stringify(config), { mode: 0o600 });
}

/** The texts of all transcripts, by role; a conversation of one line each. */
export async function readTranscripts(root: ClawRoot): Promise<string[][]> {
  const folder = join(root.path, '.claw/sessions');
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const transcripts = files.filter((file) => /session-\d+-\d+\.jsonl$/.test(file)).sort();
  return Promise.all(
    transcripts.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ type }) => type === 'message')
        .map(({ message }) => `${message.role}: ${describe(message.blocks)}`);
    }),
  );
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly tool_name?: string;
}

function describe(blocks: readonly Block[]): string {
  return blocks
    .map(({ text, name, tool_name: tool, type }) => text ?? `${type} ${name ?? tool}`)
    .join(' ');
}

export interface SilentService {
  readonly url: string;
  /** Resolves when somebody has asked. */
  readonly asked: Promise<void>;
  close(): Promise<void>;
}

/** Takes a request and never answers it. */
export async function openSilentService(): Promise<SilentService> {
  let onAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const server = createServer(() => onAsked());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

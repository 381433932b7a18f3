import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/log.ts';
import { openSecretFile } from '../../../src/storage/files/secrets/test-secret-file.ts';
import { type ClawRoot, openClawRoot } from '../cli/claw.ts';
import { type EchoServer, openEchoServer, spell } from './echo-server.ts';

/** Each goes in on another way and is used in another place. */
const PLANTED = {
  'github/token': 'ghtok-Zq8v1LhW3nRt5yXk',
  'odd/characters': 'pa$$/w+rd="q&%20 x~Jk9',
  'pem/key': '-----BEGIN KEY-----\nQm9ndXMtcGVtLXZhbHVl\n-----END KEY-----',
  'provider/openai-compatible/api_key': 'compat-7Hs2mWq9Zb4Lx6Tv',
} as const;

/** A dozen programs are started one after the other. */
const TIMEOUT_MS = 120_000;

let root: ClawRoot;
let echo: EchoServer;

beforeEach(async () => {
  [root, echo] = await Promise.all([openClawRoot(), openEchoServer()]);
  const config = {
    network: { enabled: true, allow_localhosts: true },
    logging: { level: 'debug' },
    // Untrusted input, a secret and an outward effect in one call: a person would be asked each time.
    policy: { rule_of_two: false },
    tool_reliability: { mode: 'all' },
  };
  await mkdir(join(root.path, '.openclawssy'), { mode: 0o700 });
  await writeFile(join(root.path, '.openclawssy/config.json'), JSON.stringify(config));
});

afterEach(async () => {
  await root.dispose();
  await echo.close();
});

const request = (path: string, secret: string, scheme = '') =>
  `/tool http.request ${JSON.stringify({
    url: `${echo.url}${path}`,
    headers: { [scheme ? 'Authorization' : 'X-Api-Key']: `${scheme}{{secret:${secret}}}` },
  })}`;

async function readAll(directory: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(directory.length), await readFile(path));
  }
  return files;
}

/** A server renames what it has finished writing: then what was read is not the whole, and is read again. */
async function readWhileServed(directory: string): Promise<Map<string, Buffer>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readAll(directory);
    } catch (thrown) {
      const isMoved = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
      if (!isMoved || attempt === 50) throw thrown;
    }
  }
}

/** Where a planted value stands, in any spelling. */
function findLeaks(files: ReadonlyMap<string, Buffer>): string[] {
  return [...files].flatMap(([path, content]) =>
    Object.entries(PLANTED).flatMap(([name, value]) =>
      spellings(value).some((text) => content.includes(text) || path.includes(text))
        ? [`${name} in ${path}`]
        : [],
    ),
  );
}

function spellings(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64');
  return [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    // Its last characters depend on what follows.
    base64.slice(0, -4),
    base64.slice(0, -4).replaceAll('+', '-').replaceAll('/', '_'),
    Buffer.from(`user:${value}`).toString('base64').slice(8, -4),
  ];
}

/** Stores, uses and loses secrets in every way that leaves something behind. */
async function useSecrets(run: ClawRoot['inline']): Promise<string> {
  const printed: string[] = [];
  const claw = async (args: readonly string[], options = {}) => {
    const { stdout, stderr } = await run(args, options);
    printed.push(stdout, stderr);
    return stdout;
  };
  for (const [name, value] of Object.entries(PLANTED)) {
    await claw(['secrets', 'set', name], { input: `${value}\n` });
  }
  await claw(['secrets', 'list']);
  await claw(['ask', request('/echo', 'github/token', 'Bearer ')]);
  await claw(['ask', request('/echo', 'odd/characters')]);
  await claw(['ask', request('/large', 'github/token')]);
  await claw(['ask', request('/fail', 'odd/characters')]);
  await claw(['ask', request('/hang-up', 'github/token')]);
  await claw(['ask', request('/echo', 'provider/openai-compatible/api_key')]);
  await claw(['ask', '/tool secrets.list {}']);
  await claw(['ask', `my token is ${PLANTED['github/token']}, mind it`]);
  return printed.join('\n');
}

test('used through a server, no secret reaches any byte of the state root or of any output', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await root.serve();
  const printed = await useSecrets(root.inline);
  const whileRunning = await readWhileServed(root.path);
  server.child.kill('SIGTERM');
  const { stdout, stderr } = await server.ended;
  const after = await readAll(root.path);

  const said = new Map([['output', Buffer.from([printed, stdout, stderr].join('\n'))]]);
  expect([...findLeaks(whileRunning), ...findLeaks(after), ...findLeaks(said)]).toEqual([]);
  await expectUse(after, printed);
  expect([...whileRunning.keys()]).toContain('/.openclawssy/pincer.db-wal');
});

test('used without a server, no secret reaches any byte of the state root or of any output', {
  timeout: TIMEOUT_MS,
}, async () => {
  const printed = await useSecrets(root.claw);
  // The key of a provider, used by the run itself, and repeated in its refusal.
  const asked = await root.claw(['ask', 'hello'], {
    env: { CLAW_MODEL: 'openai-compatible/x', OPENAI_COMPAT_BASE_URL: `${echo.url}/v1` },
  });
  const after = await readAll(root.path);

  const said = new Map([['output', Buffer.from(`${printed}${asked.stdout}${asked.stderr}`)]]);
  expect([...findLeaks(after), ...findLeaks(said)]).toEqual([]);
  await expectUse(after, printed);
  expect(echo.headers.at(-1)?.authorization).toBe(
    `Bearer ${PLANTED['provider/openai-compatible/api_key']}`,
  );
  expect(asked.stderr).toContain('no model for');
});

test('the search finds each secret in each spelling', () => {
  const files = Object.values(PLANTED).flatMap((value) =>
    spell(value).map((text): [string, Buffer] => [text, Buffer.from(`before ${text} after`)]),
  );

  for (const file of files)
    expect([file[0], findLeaks(new Map([file])).length]).toEqual([file[0], 1]);
});

/** The secrets were there and were used: otherwise finding nothing would say nothing. */
async function expectUse(files: ReadonlyMap<string, Buffer>, printed: string): Promise<void> {
  const sent = echo.headers.map((headers) => headers['x-api-key'] ?? headers.authorization);
  expect(sent).toEqual(
    expect.arrayContaining([
      `Bearer ${PLANTED['github/token']}`,
      PLANTED['odd/characters'],
      PLANTED['github/token'],
    ]),
  );
  expect(sent.slice(0, 2)).not.toContain(PLANTED['provider/openai-compatible/api_key']);
  expect(printed).toContain(Object.keys(PLANTED).sort().join('\n'));
  const secrets = await openSecretFile({
    file: join(root.path, '.openclawssy/secrets.enc'),
    masterKeyFile: join(root.path, '.openclawssy/master.key'),
    tryLock: () => undefined,
    clock: systemClock,
    logger: silentLogger,
  });
  for (const [name, value] of Object.entries(PLANTED)) {
    expect(await secrets.find(name)).toBe(value);
  }
  for (const kind of ['pincer.db', '/audit/', 'events.jsonl', '/artifacts/']) {
    const content = Buffer.concat(
      [...files].flatMap(([path, bytes]) => (path.includes(kind) ? [bytes] : [])),
    );
    expect([kind, content.includes('[REDACTED]')]).toEqual([kind, true]);
  }
}

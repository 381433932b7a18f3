import { copyFile, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, openClawRoot } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

const file = (name: string) => join(root.path, '.openclawssy', name);

async function submit(url: string, message: string): Promise<string> {
  const token = (await readFile(file('token'), 'utf8')).trim();
  const answer = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': message.replace(/\W+/g, '-'),
    },
    body: JSON.stringify({ agent_id: 'agent_default', message }),
  });
  expect(answer.status).toBeLessThan(300);
  return ((await answer.json()) as { id: string }).id;
}

/** Until the run's end has its audit line. */
async function untilAudited(runId: string): Promise<void> {
  const directory = file('agents/agent_default/audit');
  const isAudited = async () => {
    const names = await readdir(directory).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
    const lines = texts.join('').split('\n');
    return lines.some((line) => line.includes(runId) && line.includes('"run.completed"'));
  };
  await expect.poll(isAudited, { timeout: 30_000 }).toBe(true);
}

async function flipBit(path: string, at: number): Promise<void> {
  const handle = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ 1;
  await handle.write(byte, 0, 1, at);
  await handle.close();
}

async function verify(): Promise<Record<string, unknown>> {
  const { stdout } = await root.claw(['audit', 'verify', '--output-format', 'json']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('a flipped bit in the log of the database is noticed, and the events are put back', async () => {
  const server = await root.serve();
  await untilAudited(await submit(server.url, '/tool time.now {}'));
  const { size } = await stat(file('pincer.db-wal'));
  const lostId = await submit(server.url, '/tool fs.list {}');
  await untilAudited(lostId);
  server.child.kill('SIGKILL');
  await server.ended;
  // In the page of the first frame that the second run wrote.
  await flipBit(file('pincer.db-wal'), size + 24 + 100);

  const refused = await root.claw(['serve', '--port', '0']);
  const recovered = await root.claw(['recover', '--from-audit', '--output-format', 'json']);

  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('the database has lost events that the audit files hold');
  expect(refused.stderr).toContain('claw recover --from-audit');
  expect(JSON.parse(recovered.stdout)).toMatchObject({
    exit_code: 0,
    way: 'from_audit',
    lost_runs_count: 1,
    settled_runs_count: 1,
    failures: [],
  });

  const again = await root.serve();
  expect(await submit(again.url, '/tool fs.list {}')).toBe(lostId);
  again.child.kill('SIGTERM');
  await again.ended;
  expect(await verify()).toMatchObject({ verified: true, runs_count: 2, faults_count: 0 });
}, 120_000);

test('an older copy of the database is noticed, and goes on when the operator accepts the loss', async () => {
  await root.claw(['ask', '/tool time.now {}']);
  await copyFile(file('pincer.db'), file('backup.db'));
  await root.claw(['ask', '/tool fs.list {}']);
  for (const suffix of ['-wal', '-shm']) await rm(file(`pincer.db${suffix}`), { force: true });
  await copyFile(file('backup.db'), file('pincer.db'));

  const refused = await root.claw(['ask', '/tool time.now {}']);
  const doctor = await root.claw(['doctor', '--output-format', 'json']);
  const accepted = await root.claw(['recover', '--accept-loss', '--output-format', 'json']);
  const asked = await root.claw(['ask', '/tool time.now {}']);

  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was rolled back') });
  expect(JSON.parse(doctor.stdout).checks).toContainEqual(
    expect.objectContaining({ name: 'records', status: 'fail' }),
  );
  expect(JSON.parse(accepted.stdout)).toMatchObject({ way: 'accept_loss', lost_runs_count: 1 });
  expect(asked.code).toBe(0);
  expect(await verify()).toMatchObject({
    verified: true,
    runs_count: 2,
    accepted_losses_count: 1,
    pending_runs_count: 0,
  });
}, 120_000);

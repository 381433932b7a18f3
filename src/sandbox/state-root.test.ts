import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWhyNoBwrap } from '../../test/support/find-bwrap.ts';
import { openTempRoot, type TempRoot } from '../../test/support/temp-root.ts';
import type { Protection } from '../core/sandbox/sandbox.ts';
import { createBwrapSandbox } from './create-bwrap-sandbox.ts';

const missing = await findWhyNoBwrap('what commands see of the state root');
const TOKEN = 'the-token-of-the-runtime';

let temporary: TempRoot;

beforeEach(async () => {
  temporary = await openTempRoot();
});

afterEach(() => temporary.remove());

function protect(name: string): Protection {
  if (/^\.(?:openclawssy|claw)$/i.test(name)) return 'hidden';
  return /^soul\.md$/i.test(name) ? 'read_only' : 'open';
}

/** A state root as the runtime lays it out. */
async function makeStateRoot(root: string): Promise<void> {
  await mkdir(join(root, '.openclawssy'), { recursive: true });
  await mkdir(join(root, '.claw/sessions'), { recursive: true });
  await writeFile(join(root, '.openclawssy/token'), TOKEN);
  await writeFile(join(root, '.claw/sessions/talk.jsonl'), TOKEN);
}

function place(root: string, workspace: string) {
  const reserved = [join(root, '.openclawssy'), join(root, '.claw')];
  return createBwrapSandbox({ workspace, stateRoot: root, reserved, protect });
}

async function sh(sandbox: ReturnType<typeof place>, script: string) {
  const command = { command: 'bash', args: ['-c', script], timeoutMs: 20_000 };
  const run = { ...command, maxOutputBytes: 64 * 1024 };
  return sandbox.run(run, new AbortController().signal);
}

function withoutRandom(name: string): string {
  return name.replace(/^refused-[0-9a-f]{12}/, 'refused-…');
}

/** Everything that a command can read below the given places. */
function search(...places: readonly string[]): string {
  const folders = places.map((path) => `'${path}'`).join(' ');
  return `grep -rs --devices=skip ${TOKEN} ${folders}; find ${folders} -name token -o -name talk.jsonl`;
}

describe.skipIf(missing !== undefined)('a command', () => {
  test.each(['/usr', '/usr/local', '/usr/share'])(
    'sees nothing of a state root under %s',
    async (system) => {
      const root = await mkdtemp(join(system, 'pincer-test-')).catch(() => undefined);
      if (root === undefined) {
        process.stderr.write(`skipping ${system}: it can't be written\n`);
        return;
      }
      try {
        const workspace = join(root, 'app/workspace');
        await mkdir(workspace, { recursive: true });
        await makeStateRoot(join(root, 'app'));
        await writeFile(join(root, 'app/.env'), TOKEN);
        const sandbox = place(join(root, 'app'), workspace);

        const { stdout, end } = await sh(
          sandbox,
          `echo made > made.txt; ls -A ..; ${search(root)}; true`,
        );

        expect([end, stdout.text]).toEqual([{ how: 'exited', exitCode: 0 }, 'workspace\n']);
        expect(await readFile(join(workspace, 'made.txt'), 'utf8')).toBe('made\n');
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  );

  test('sees nothing of the state root when the project folder is the workspace', async () => {
    const root = temporary.path;
    await makeStateRoot(root);
    await writeFile(join(root, 'main.ts'), 'code');

    const { stdout } = await sh(
      place(root, root),
      `cat main.ts; ${search(root)}; mv .openclawssy x; rm -rf .claw; echo x > .openclawssy/token`,
    );

    expect(stdout.text).toBe('code');
    expect(await readFile(join(root, '.openclawssy/token'), 'utf8')).toBe(TOKEN);
    expect((await readdir(root)).sort()).toEqual(['.claw', '.openclawssy', 'main.ts']);
  });

  test('can not make a state folder that the project has not yet', async () => {
    const root = temporary.path;
    await makeStateRoot(root);
    await rm(join(root, '.claw'), { recursive: true });

    await sh(place(root, root), 'mkdir -p .claw/sessions; echo planted > .claw/sessions/x');

    expect(await readdir(join(root, '.claw'))).toEqual([]);
  });

  test('can not bring a state root inside the workspace to light by renaming its parents', async () => {
    const workspace = temporary.path;
    const root = join(workspace, 'deep/project');
    await mkdir(root, { recursive: true });
    await makeStateRoot(root);
    const sandbox = place(root, workspace);

    const first = await sh(sandbox, `mv deep/project moved; mv deep other; ${search(workspace)}`);
    const second = await sh(sandbox, search(workspace));

    expect([first.stdout.text, second.stdout.text]).toEqual(['', '']);
    expect(await readFile(join(root, '.openclawssy/token'), 'utf8')).toBe(TOKEN);
  });

  test('sees nothing of other state roots in the workspace, whoever renames their parents', async () => {
    const workspace = temporary.path;
    await makeStateRoot(join(workspace, 'a/other'));
    const sandbox = createBwrapSandbox({ workspace, protect });

    const before = await sh(sandbox, `${search(workspace)}; chmod 0 a; true`);
    await chmod(join(workspace, 'a'), 0o700);
    await rename(join(workspace, 'a'), join(workspace, 'b'));
    const after = await sh(sandbox, search(workspace));

    expect([before.stdout.text, after.stdout.text]).toEqual(['', '']);
    expect(await readFile(join(workspace, 'b/other/.openclawssy/token'), 'utf8')).toBe(TOKEN);
  });

  test('is not started when the workspace lies in what must stay hidden', async () => {
    const root = temporary.path;
    await makeStateRoot(root);
    const workspace = join(root, '.openclawssy/inside');
    await mkdir(workspace);

    await expect(sh(place(root, workspace), 'ls')).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      details: { reason: expect.stringContaining('.openclawssy') },
    });
  });

  test('is not started when the state root is gone from where it was', async () => {
    const root = join(temporary.path, 'project');
    await makeStateRoot(root);
    const sandbox = place(root, temporary.path);
    await sh(sandbox, 'true');
    await rm(root, { recursive: true });

    await expect(sh(sandbox, 'ls')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  });

  test.each([
    'touch f; chmod u+s f',
    'touch f; chmod 2755 f',
    'mkdir f; chmod g+s f',
    'install -m 4755 /bin/true f',
    'cp -p /usr/bin/passwd f || cp --preserve=mode /bin/su f',
    `perl -e 'use Fcntl; sysopen(F, "f", O_CREAT|O_WRONLY, 04755)'`,
    `perl -e 'syscall(259, -100, "f", 0104755, 0)'`,
    `perl -e 'open(F, ">f"); syscall(452, -100, "f", 04755, 0)'`,
    'touch f; (sleep 60 & chmod 6755 f); true',
  ])('leaves no file behind that runs as somebody else: %s', async (script) => {
    const workspace = temporary.path;

    await sh(createBwrapSandbox({ workspace, protect }), script);

    const found = await stat(join(workspace, 'f')).catch(() => undefined);
    expect((found?.mode ?? 0) & 0o6000).toBe(0);
  });

  test('can still give the modes that files usually have', async () => {
    const workspace = temporary.path;

    const { end } = await sh(
      createBwrapSandbox({ workspace, protect }),
      'umask 0; touch f; chmod 755 f; mkdir d; chmod 1777 d',
    );

    const modes = [await stat(join(workspace, 'f')), await stat(join(workspace, 'd'))];
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(modes.map(({ mode }) => mode & 0o7777)).toEqual([0o755, 0o1777]);
  });

  test('can not leave a name of the runtime or a control file anywhere in the workspace', async () => {
    const workspace = temporary.path;
    await mkdir(join(workspace, 'docs'));
    await writeFile(join(workspace, 'docs/SOUL.md'), 'the operator wrote this');
    await writeFile(join(workspace, 'notes.txt'), 'precious');
    const sandbox = createBwrapSandbox({ workspace, protect });

    const { planted } = await sh(
      sandbox,
      [
        'mkdir -p sub/.OpenClawssy; echo "{}" > sub/.OpenClawssy/config.json; mv notes.txt Soul.md',
        'ln -s /etc .claw; echo mine > docs/SOUL.md; mv docs moved; mkdir $(printf "\\377")',
        'mkdir $(printf "\\377")/.claw',
      ].join('\n'),
    );

    expect(planted?.map((path) => path.replaceAll('\uFFFD', '?'))).toEqual([
      '.claw',
      'Soul.md',
      'sub/.OpenClawssy',
      '?/.claw',
    ]);
    const names = (await readdir(workspace)).filter((name) => !name.includes('\uFFFD'));
    expect(names.map(withoutRandom).sort()).toEqual([
      'docs',
      'refused-….Soul.md',
      'refused-….claw',
      'sub',
    ]);
    expect((await readdir(join(workspace, 'sub'))).map(withoutRandom)).toEqual([
      'refused-….OpenClawssy',
    ]);
    const soul = names.find((name) => name.endsWith('.Soul.md')) ?? '';
    expect(await readFile(join(workspace, soul), 'utf8')).toBe('precious');
    expect(await readFile(join(workspace, 'docs/SOUL.md'), 'utf8')).toBe('the operator wrote this');
  });

  test('can not put a control file in the place of one by moving the folders above it', async () => {
    const workspace = temporary.path;
    await mkdir(join(workspace, 'docs/deep'), { recursive: true });
    await writeFile(join(workspace, 'docs/deep/SOUL.md'), 'the operator wrote this');

    await sh(
      createBwrapSandbox({ workspace, protect }),
      'mv docs/deep docs/x; mv docs y; mkdir -p docs/deep; echo evil > docs/deep/SOUL.md; true',
    );

    expect(await readFile(join(workspace, 'docs/deep/SOUL.md'), 'utf8')).toBe(
      'the operator wrote this',
    );
  });
});

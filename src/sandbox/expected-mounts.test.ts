import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWhyNoBwrap } from '../../test/support/find-bwrap.ts';
import { openTempRoot, type TempRoot } from '../../test/support/temp-root.ts';
import type { Protection } from '../core/sandbox/sandbox.ts';
import { createBwrapSandbox } from './create-bwrap-sandbox.ts';
import { describeMounts } from './expected-mounts.ts';
import { createMountTable } from './mount-table.ts';

const missing = await findWhyNoBwrap('mounts that another command leads astray');

let temporary: TempRoot;
let workspace: string;

beforeEach(async () => {
  temporary = await openTempRoot();
  workspace = join(temporary.path, 'work space\\here');
  await mkdir(join(workspace, 'a/.claw'), { recursive: true });
  await mkdir(join(workspace, 'new\nline'), { recursive: true });
  await mkdir(join(temporary.path, 'outside'));
  await writeFile(join(workspace, '.openclawssy'), 'hidden');
  await writeFile(join(workspace, 'new\nline/SOUL.md'), 'read-only');
});

afterEach(() => temporary.remove());

function protect(name: string): Protection {
  if (name === '.openclawssy' || name === '.claw') return 'hidden';
  return name === 'SOUL.md' ? 'read_only' : 'open';
}

async function sh(script: string, program?: string) {
  const sandbox = createBwrapSandbox({ workspace, protect, ...(program ? { program } : {}) });
  const command = { command: 'bash', args: ['-c', script], timeoutMs: 20_000 };
  return sandbox.run({ ...command, maxOutputBytes: 4096 }, new AbortController().signal);
}

/** What `bwrap` does when a link was put under a name between the look at the workspace and the mount. */
async function makeAstray(rewrite: string): Promise<string> {
  const path = join(temporary.path, 'bwrap');
  const script = `#!/bin/bash
outside='${temporary.path}/outside'
workspace='${workspace}'
args=("$@")
for i in "\${!args[@]}"; do
  next="\${args[i+1]}"; after="\${args[i+2]}"
  ${rewrite}
done
exec bwrap "\${args[@]}"
`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}

describe.skipIf(missing !== undefined)('the first process inside', () => {
  test('finds the mounts as they were planned, whatever names are made of', async () => {
    const { end, stdout } = await sh('cat .openclawssy; ls -A a/.claw; cat new*/SOUL.md; env');

    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(stdout.text).toMatch(/^read-only/);
    expect(stdout.text).not.toContain('mountinfo');
  });

  test.each([
    ['a folder of the machine in the place of one above', '--bind', '*/a', 'args[i+1]=$outside'],
    [
      'a cover that lies elsewhere',
      '--tmpfs',
      '*/.claw',
      '{ args[i+1]=$outside; args[i+3]=$outside; }',
    ],
    ['a file in the place of the hidden one', '--ro-bind', '/dev/null', 'args[i+1]=/dev/zero'],
    ['a control file that can be written', '--ro-bind', '*/SOUL.md', 'args[i]=--bind'],
    ['another workspace', '--bind', '*here', 'args[i+1]=$outside'],
  ])('starts nothing with %s', async (_, option, pattern, change) => {
    const condition = `[[ "\${args[i]}" == ${option} && "$next" == ${pattern} ]]`;
    const inWorkspace = `[[ ${option} == --tmpfs || "$after" == *here* ]]`;
    const program = await makeAstray(`${condition} && ${inWorkspace} && ${change}`);

    await expect(sh('touch a/planted started', program)).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('could see'),
    });
    expect(await readdir(join(temporary.path, 'outside'))).not.toContain('planted');
    expect(await readdir(workspace)).not.toContain('started');
  });

  test('starts nothing where there is a mount that nobody planned', async () => {
    await mkdir(join(workspace, 'b'));
    const program = await makeAstray(
      `[[ "\${args[i]}" == --chdir ]] || continue
      args=("\${args[@]:0:i}" --bind "$outside" "$workspace/b" "\${args[@]:i}"); break`,
    );

    await expect(sh('touch b/planted', program)).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('could see'),
    });
    expect(await readdir(join(temporary.path, 'outside'))).toEqual([]);
  });
});

test('what is mounted in the workspace already may be there too', () => {
  const table = createMountTable(
    ['1 0 8:1 / / rw - ext4 x rw', '2 1 8:2 /data /w/disk\\0401 rw - ext4 y rw'].join('\n'),
  );
  const mounts = [
    { path: '/w', access: 'write' },
    { path: '/w/disk 1/in', access: 'write' },
    { path: '/w/disk 1/in/SOUL.md', access: 'read' },
    { path: '/w/.claw', access: 'hidden_directory' },
    { path: '/w/.openclawssy', access: 'hidden_file' },
    { path: '/usr/x', access: 'hidden_directory' },
  ] as const;

  expect(describeMounts(mounts, '/w', table).split('\n')).toEqual([
    '/w',
    'must any 8:1 /w /w',
    'must any 8:2 /data/in /w/disk\\0401/in',
    'must ro 8:2 /data/in/SOUL.md /w/disk\\0401/in/SOUL.md',
    'must any memory / /w/.claw',
    'must any 8:1 /dev/null /w/.openclawssy',
    'may any 8:2 /data /w/disk\\0401',
    '',
  ]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawOptions, type ClawRoot, common, openClawRoot } from '../cli/claw.ts';
import { askDocument, configure, openSilentService, PLACES, readTranscripts } from './turn-root.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

async function prepare(via: (typeof PLACES)[number], options: ClawOptions): Promise<void> {
  if (via === 'server') await root.serveInline(options);
}

const PATH = expect.stringMatching(/^<root>\/\.claw\/sessions\/[0-9a-f]{16}\/<session>\.jsonl$/);

for (const via of PLACES) {
  test(`out of time in the model: the run is cancelled, the transcript stays (${via})`, async () => {
    const script = await root.script([{ text: 'one' }, { text: 'two', hang: true }]);
    await prepare(via, script);

    const { code, document } = await askDocument(
      root,
      ['turn-loop', 'count', '--continuation-prompt', 'go on', '--timeout-seconds', '5'],
      script,
    );
    const { document: listed } = await askDocument(root, ['runs', 'list']);

    expect(code).toBe(2);
    expect(document).toMatchObject({
      ...common('turn-loop', 2),
      turns_completed: 1,
      turns: [
        { prompt: 'count', stop_reason: 'completed', cancel_observed: false },
        { prompt: 'go on', stop_reason: 'timeout', cancel_observed: true },
      ],
      final_stop_reason: 'timeout',
      final_cancel_observed: true,
      persisted_session_path: PATH,
    });
    expect(document).not.toHaveProperty('error');
    expect(listed).toMatchObject({ runs: [{ status: 'cancelled' }, { status: 'completed' }] });
    expect(await readTranscripts(root)).toEqual([['user: count', 'assistant: one']]);
  });

  test(`out of time in a tool: the run is cancelled and nothing is written (${via})`, async () => {
    const service = await openSilentService();
    try {
      await configure(root, { network: { enabled: true, allow_localhosts: true } });
      const script = await root.script([
        { toolCalls: [{ tool: 'http.request', input: { url: service.url } }] },
      ]);
      await prepare(via, script);

      const { code, document } = await askDocument(
        root,
        ['turn-loop', 'fetch it', '--timeout-seconds', '3'],
        script,
      );
      const { document: listed } = await askDocument(root, ['runs', 'list']);

      await service.asked;
      expect(code).toBe(2);
      expect(document).toMatchObject({
        turns_completed: 0,
        turns: [{ prompt: 'fetch it', stop_reason: 'timeout', cancel_observed: true }],
        persisted_session_path: null,
      });
      expect(listed).toMatchObject({ runs: [{ status: 'cancelled' }] });
      expect(await readTranscripts(root)).toEqual([]);
    } finally {
      await service.close();
    }
  });

  test(`a session goes on, and knows nothing of a turn that was cancelled in it (${via})`, async () => {
    /** A server keeps the script it started with. */
    const takeTurns = async (steps: readonly object[], ...args: readonly string[]) => {
      const script = await root.script(steps);
      const server = via === 'server' ? await root.serveInline(script) : undefined;
      const answer = await askDocument(root, ['turn-loop', ...args], script);
      await server?.close();
      return answer;
    };
    const going = ['--session', 'latest'];
    await takeTurns([{ text: 'one' }], 'count');
    const hanging = [{ text: 'never used' }, { text: 'two', hang: true }];
    const late = await takeTurns(hanging, 'lost', ...going, '--timeout-seconds', '2');

    const after = [{ text: 'never used' }, { text: 'after {{message}}' }];
    const { code, document } = await takeTurns(after, 'again', ...going);
    const { document: sessions } = await askDocument(root, ['sessions', 'list']);

    expect(late.code).toBe(2);
    expect(code).toBe(0);
    // A third assistant message in its context would have asked for a step that the script does not have.
    expect(document).toMatchObject({ turns: [{ prompt: 'again', output: 'after count' }] });
    expect(await readTranscripts(root)).toEqual([
      ['user: count', 'assistant: one', 'user: again', 'assistant: after count'],
    ]);
    expect(sessions).toMatchObject({
      sessions: [{ channel: 'cli' }, { channel: 'cli' }],
    });
  });

  test(`Ctrl-C cancels the run and ends the loop (${via})`, async () => {
    const script = await root.script([
      { text: 'looking', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] },
      { text: 'never', hang: true },
    ]);
    await prepare(via, script);
    const looping = root.start(['turn-loop', 'count', '--continuation-prompt', 'on'], script);
    await looping.saw('stderr', 'fs.list ok');

    looping.child.kill('SIGINT');
    const ended = await looping.ended;
    const { document: listed } = await askDocument(root, ['runs', 'list']);

    expect(ended).toMatchObject({ code: 130, signal: null });
    expect(ended.stdout).toBe('## Turn 1\nlooking\nstop_reason=cancelled\n');
    expect(ended.stderr).toMatch(/interrupted: cancelling\nerror: run run_\w+ was cancelled\n/);
    expect(listed).toMatchObject({ runs: [{ status: 'cancelled' }] });
    expect(await readTranscripts(root)).toEqual([]);
  });
}

test('a server that is lost for good: out of time, and nobody saw the run cancelled', async () => {
  const script = await root.script([
    { text: 'looking', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] },
    { text: 'never', hang: true },
  ]);
  const server = await root.serve(script);
  const looping = root.start(['turn-loop', 'count', '--timeout-seconds', '4'], script);
  await looping.saw('stderr', 'fs.list ok');
  server.child.kill('SIGKILL');

  const ended = await looping.ended;

  expect(ended.code).toBe(2);
  expect(ended.stdout).toContain('stop_reason=timeout\n');
  expect(ended.stderr).toMatch(
    /error: out of time; run run_\w+ was told to stop and has not said that it did\n$/,
  );
});

test('a crash in the middle of a turn does not hold up the next one', async () => {
  const script = await root.script([{ text: 'one' }]);
  await askDocument(root, ['turn-loop', 'count'], script);
  const hanging = await root.script([
    { text: 'never used' },
    { toolCalls: [{ tool: 'time.now' }] },
    { text: 'x', hang: true },
  ]);
  const dying = root.start(['turn-loop', 'lost', '--session', 'latest'], hanging);
  await dying.saw('stderr', 'time.now ok');
  dying.child.kill('SIGKILL');
  await dying.ended;
  const third = await root.script([{ text: 'never used' }, { text: 'after {{message}}' }]);

  const { code, document } = await askDocument(
    root,
    ['turn-loop', 'again', '--session', 'latest'],
    third,
  );

  expect(code).toBe(0);
  expect(document).toMatchObject({ turns: [{ output: 'after count' }] });
  expect(await readTranscripts(root)).toEqual([
    ['user: count', 'assistant: one', 'user: again', 'assistant: after count'],
  ]);
});

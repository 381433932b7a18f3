import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RuntimeError } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import type { Redactor } from '../core/redact/redact.ts';
import { createLogger, type LoggerOptions, type LogLevel } from './create-logger.ts';

function record(options: Partial<LoggerOptions> & { isTTY?: boolean } = {}) {
  const lines: string[] = [];
  const { isTTY = false, ...rest } = options;
  const destination = { isTTY, write: (line: string) => lines.push(line) };
  const logger = createLogger({ level: () => 'info', format: 'auto', destination, ...rest });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') };
}

test('a line is one JSON object with level, time, fields and message', () => {
  const { logger, lines } = record();

  logger.warn({ run_id: 'run_1', turns: 3 }, 'run is slow');

  expect(lines).toHaveLength(1);
  const { time, ...line } = JSON.parse(lines[0] ?? '');
  expect(line).toEqual({ level: 'warn', run_id: 'run_1', turns: 3, msg: 'run is slow' });
  expect(new Date(time).toISOString()).toBe(time);
  expect(lines[0]).toMatch(/^[^\n]+\n$/);
});

test('levels below the configured one are not written', () => {
  const { logger, lines } = record({ level: () => 'warn' });

  logger.debug({}, 'no');
  logger.info({}, 'no');
  logger.warn({}, 'yes');
  logger.error({}, 'yes');

  expect(lines).toHaveLength(2);
});

test('silent writes nothing at all', () => {
  const { logger, lines } = record({ level: () => 'silent' });

  logger.error({}, 'no');

  expect(lines).toEqual([]);
});

test('children carry their fields, and a line’s own fields win', () => {
  const { logger, last } = record();

  const child = logger.child({ request_id: 'req_1' }).child({ run_id: 'run_1' });
  child.info({ run_id: 'run_2' }, 'x');

  expect(last()).toMatchObject({ request_id: 'req_1', run_id: 'run_2', msg: 'x' });
});

// Only the port matters here; the real one has its own property tests.
const redactor: Redactor = {
  redact: (value) => ({ value: mask(value) as typeof value, paths: [] }),
  redactText: (text) => text.replaceAll('hunter2', '[redacted]'),
};
function mask(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[redacted]'));
}

test('secrets are redacted in fields, errors, messages and bound fields', () => {
  const { logger, lines } = record({ redactor });

  logger
    .child({ password: 'hunter2' })
    .error({ nested: [{ a: 'x hunter2' }], err: new Error('bad hunter2') }, 'said hunter2');

  expect(lines.join('')).not.toContain('hunter2');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    password: '[redacted]',
    nested: [{ a: 'x [redacted]' }],
    err: { type: 'Error', message: 'bad [redacted]' },
    msg: 'said [redacted]',
  });
});

test('an expected error is logged by code, an unexpected one with its stack and cause', () => {
  const { logger, last } = record();

  logger.error({ err: new RuntimeError('not_found', 'run x does not exist') }, 'refused');
  expect(last().err).toEqual({
    type: 'RuntimeError',
    code: 'not_found',
    message: 'run x does not exist',
  });

  logger.error({ err: new TypeError('outer', { cause: new Error('inner') }) }, 'fault');
  expect(last().err).toMatchObject({
    type: 'TypeError',
    message: 'outer',
    stack: expect.stringContaining('create-logger.test.ts'),
    cause: { type: 'Error', message: 'inner' },
  });
});

test('nothing that is logged can break or flood the log', () => {
  const { logger, lines, last } = record();
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const hostile = {
    get trap(): string {
      throw new Error('no');
    },
  };

  logger.info(
    { cyclic, big: 10n, fn: () => {}, bytes: Buffer.alloc(5000), text: 'x'.repeat(10_000_000) },
    'a',
  );
  expect(last()).toMatchObject({ big: '10', bytes: '(5000 bytes)', msg: 'a' });
  expect(lines.at(-1)?.length).toBeLessThan(10_000);

  logger.info(hostile, 'b');
  expect(last()).toMatchObject({ log_fault: 'fields could not be read', msg: 'b' });
});

test('a terminal gets readable lines in colour', () => {
  const { logger, lines } = record({ isTTY: true });

  logger.info({ run_id: 'run_1' }, 'run ended');

  expect(lines[0]).toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    /^\u001b\[2m\d\d:\d\d:\d\d\.\d{3}\u001b\[0m \u001b\[36mINFO \u001b\[0m run ended \u001b\[2mrun_id=\u001b\[0mrun_1\n$/,
  );
});

test('pretty lines without colour can’t be forged or move the cursor', () => {
  const { logger, lines } = record({ format: 'pretty' });

  logger.warn(
    { path: 'a b', evil: 'x\n12:00:00.000 INFO fake\u001b[2J', list: [1, 2] },
    'line\none\u001b[31m',
  );

  expect(lines[0]?.replace(/^\S+/, 'TIME')).toBe(
    'TIME WARN  line\\u000aone\\u001b[31m path="a b" evil="x\\n12:00:00.000 INFO fake\\u001b[2J" list=[1,2]\n',
  );
});

test('pretty lines show an error below the message', () => {
  const { logger, lines } = record({ format: 'pretty' });

  logger.error({ err: new RuntimeError('timeout', 'too slow') }, 'failed');

  expect(lines[0]?.replace(/^\S+/, 'TIME')).toBe(
    'TIME ERROR failed\n    RuntimeError(timeout): too slow\n',
  );
});

/** Runs what is done with a logger in a process of its own. */
function runLogging(statements: string) {
  const module = fileURLToPath(new URL('./create-logger.ts', import.meta.url));
  const code = `const { createLogger } = await import(${JSON.stringify(module)});
    const logger = createLogger({ level: () => 'info', format: 'auto' });
    ${statements}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
}

test.each([
  { how: 'exits', statement: 'process.exit(0);' },
  { how: 'dies of a fault', statement: "throw new Error('fault');" },
  { how: 'has nothing more to do', statement: '' },
])('lines that may wait are written, in order, when the process $how', ({ statement }) => {
  const child = runLogging(`
    logger.routine({ n: 1 }, 'request');
    createLogger({ level: () => 'info', format: 'auto' }).routine({ n: 2 }, 'request');
    ${statement}`);

  const lines = child.stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line).n)).toEqual([1, 2]);
});

test('a line that does not wait takes those that do with it', () => {
  const child = runLogging(`
    logger.routine({ n: 1 }, 'request');
    logger.info({ n: 2 }, 'last words');
    process.kill(process.pid, 'SIGKILL');`);

  expect(child.stderr.match(/"n":\d/g)).toEqual(['"n":1', '"n":2']);
});

test('writes to standard error before the process dies, and never to standard output', () => {
  const child = runLogging(`
    logger.info({ n: 1 }, 'last words');
    process.kill(process.pid, 'SIGKILL');`);

  expect(child.signal).toBe('SIGKILL');
  expect(child.stdout).toBe('');
  expect(JSON.parse(child.stderr)).toMatchObject({ level: 'info', n: 1, msg: 'last words' });
});

test('a level that changes counts from the next line on, for children too', () => {
  let level: LogLevel = 'info';
  const { logger, lines } = record({ level: () => level });
  const child = logger.child({ run_id: 'run_1' });

  child.debug({}, 'before');
  level = 'debug';
  child.debug({}, 'while');
  level = 'error';
  logger.warn({}, 'after');

  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['while']);
});

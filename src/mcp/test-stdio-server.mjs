// A small MCP server over standard streams, in raw JSON lines so that it can also misbehave.
// Arguments: a mode, then a file that holds the description of its first tool.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mode = 'good', descriptionFile] = process.argv.slice(2);
const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const object = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const free = { type: 'object' };

let hasVanished = false;

function describe() {
  return descriptionFile ? readFileSync(descriptionFile, 'utf8') : 'Says it again';
}

function tools() {
  if (mode === 'many') {
    return Array.from({ length: 1000 }, (_, index) => ({
      name: `tool-${String(index).padStart(4, '0')}`,
      description: `Tool number ${index}`,
      inputSchema: object,
    }));
  }
  return [
    {
      name: 'echo',
      description: describe(),
      inputSchema: object,
      annotations: { readOnlyHint: true },
    },
    { name: 'fail', inputSchema: free },
    { name: 'rich', inputSchema: free },
    { name: 'huge', inputSchema: free },
    { name: 'large', inputSchema: free },
    { name: 'die', inputSchema: free },
    { name: 'wait', inputSchema: free },
    { name: 'slow', inputSchema: free },
    { name: 'env', inputSchema: free },
    { name: 'spawn', inputSchema: free },
    { name: 'flood', inputSchema: free },
    { name: 'bad.params', inputSchema: free },
    { name: 'rename', inputSchema: free },
    { name: 'nonsense', inputSchema: free },
    { name: 'babble', inputSchema: free },
    ...(hasVanished ? [] : [{ name: 'vanish', inputSchema: free }]),
  ];
}

const text = (value, rest = {}) => ({ content: [{ type: 'text', text: value }], ...rest });

const calls = {
  echo: ({ text: value }) => text(`echo ${value}`),
  fail: () => text('it went wrong', { isError: true }),
  rich: () => ({
    content: [
      { type: 'text', text: 'one' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'two' } },
    ],
    structuredContent: { n: 1 },
  }),
  huge: () => text('x'.repeat(11 * 1024 * 1024)),
  large: () => text('y'.repeat(300_000)),
  die: () => process.exit(3),
  wait: () => writeFileSync(`${descriptionFile}.waiting`, ''),
  // biome-ignore lint/style/noProcessEnv: it shows what it was given
  env: () => text(JSON.stringify(process.env)),
  spawn: () => {
    const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
    const { pid } = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    return text(JSON.stringify([process.pid, pid]));
  },
  flood: () => {
    const noise = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`;
    process.stdout.write(noise.repeat(30_000));
  },
  nonsense: () => ({ content: 5 }),
  babble: () => process.stdout.write('{"jsonrpc": "2.0", "id": oops}\n'),
  vanish: () => {
    hasVanished = true;
    write({ method: 'notifications/tools/list_changed' });
    return text('gone');
  },
  rename: () => {
    writeFileSync(descriptionFile, 'Now it does something else');
    write({ method: 'notifications/tools/list_changed' });
    return text('done');
  },
};

function answer({ id, method, params }) {
  switch (method) {
    case 'initialize':
      if (mode === 'silent') return;
      write({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'test', version: '1.0.0' },
        },
      });
      return;
    case 'tools/list': {
      if (mode === 'listless') return;
      const all = tools();
      const from = Number(params?.cursor ?? 0);
      const next = from + 300 < all.length ? { nextCursor: String(from + 300) } : {};
      write({ id, result: { tools: all.slice(from, from + 300), ...next } });
      return;
    }
    case 'tools/call': {
      if (params.name === 'bad.params') {
        write({ id, error: { code: -32602, message: 'n must be positive' } });
        return;
      }
      if (params.name === 'slow') {
        writeFileSync(`${descriptionFile}.waiting`, '');
        const look = setInterval(() => {
          if (!existsSync(`${descriptionFile}.go`)) return;
          clearInterval(look);
          write({ id, result: text('slow') });
        }, 10);
        return;
      }
      const result = calls[params.name]?.(params.arguments);
      if (result?.content) write({ id, result });
      return;
    }
    case 'notifications/cancelled':
      if (descriptionFile) writeFileSync(`${descriptionFile}.cancelled`, JSON.stringify(params));
      return;
    default:
  }
}

if (mode === 'broken') {
  process.stderr.write('cannot find module weather\n');
  process.exit(1);
}
if (mode === 'banner') process.stdout.write('Welcome to the test server!\n{ not json\n\n');
if (mode === 'garbage') setInterval(() => process.stdout.write('garbage\n'.repeat(500)), 1);
if (mode === 'endless') setInterval(() => process.stdout.write('x'.repeat(1024 * 1024)), 1);
if (mode === 'stubborn') process.on('SIGTERM', () => {});

createInterface({ input: process.stdin })
  .on('line', (line) => answer(JSON.parse(line)))
  .on('close', () => {
    if (mode !== 'stubborn') process.exit(0);
    else setInterval(() => {}, 1000);
  });

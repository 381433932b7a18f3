import { expect, test } from 'vitest';
import type { JsonValue } from '../json.ts';
import { createRedactor, MAX_DEPTH } from './create-redactor.ts';

const { redact, redactText } = createRedactor();

const GITHUB = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';
const PEM =
  '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEA75\n-----END RSA PRIVATE KEY-----';

const TEXTS: readonly (readonly [string, string])[] = [
  ['curl -H "Authorization: Bearer abc.def-123"', 'curl -H "Authorization: Bearer [REDACTED]"'],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [REDACTED]'],
  ['Authorization: Token token="abc123"', 'Authorization: Token token="[REDACTED]"'],
  ['Authorization: Digest username="u", response="r"', 'Authorization: Digest [REDACTED]'],
  ['used Basic dXNlcjpwYXNz here', 'used Basic [REDACTED] here'],
  ['token: Bearer abc123def', 'token: Bearer [REDACTED]'],
  ['key sk-proj-abcdefgh12345678 end', 'key [REDACTED] end'],
  ['sk-ant-api03-AbCdEf_12-34567890', '[REDACTED]'],
  ['id AKIAIOSFODNN7EXAMPLE.', 'id [REDACTED].'],
  [`push with ${GITHUB}!`, 'push with [REDACTED]!'],
  ['github_pat_11ABCDEFG0abcdefghijkl_mnop', '[REDACTED]'],
  ['xoxb-123456789012-abcdefGHIJ', '[REDACTED]'],
  ['AIzaSyA1234567890abcdefghijklmnopqrstuv', '[REDACTED]'],
  [`jwt ${JWT}, done`, 'jwt [REDACTED], done'],
  [`a\n${PEM}\nb`, 'a\n[REDACTED]\nb'],
  [JSON.stringify({ pem: PEM }), '{"pem":"[REDACTED]"}'],
  [`private_key: ${PEM}\nnext: 1`, 'private_key: [REDACTED]\nnext: 1'],
  ['-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKC', '[REDACTED]'],
  ['password=hunter2&user=1', 'password=[REDACTED]&user=1'],
  ['password = "correct horse"; x', 'password = "[REDACTED]"; x'],
  ["'passwd' => 'p\\'w',", "'passwd' => '[REDACTED]',"],
  ['token: abc123', 'token: [REDACTED]'],
  ['{"api_key": "xyz", "n": 1}', '{"api_key": "[REDACTED]", "n": 1}'],
  [
    '{\\"api_key\\": \\"x\\\\\\"yz\\", \\"n\\": 1}',
    '{\\"api_key\\": \\"[REDACTED]\\", \\"n\\": 1}',
  ],
  ['{"password": 123456}', '{"password": "[REDACTED]"}'],
  ['{"secrets": {"a": ["x]", {}]}, "n": 1}', '{"secrets": "[REDACTED]", "n": 1}'],
  ['{\\"token\\":[\\"a\\",\\"b\\"]}', '{\\"token\\":\\"[REDACTED]\\"}'],
  ['{"passwords":["a","b', '{"passwords":"[REDACTED]"'],
  ['https://user:pa:ss@host/path', 'https://user:[REDACTED]@host/path'],
  ['postgres://u:p@ss@db:5432/x', 'postgres://u:[REDACTED]@db:5432/x'],
  ['export GROQ_KEY=abc;def&ghi', 'export GROQ_KEY=[REDACTED]'],
  ['MY_API_TOKEN=abc\nNEXT=1', 'MY_API_TOKEN=[REDACTED]\nNEXT=1'],
  ['Cookie: sid=abc; theme=dark\nHost: x', 'Cookie: [REDACTED]\nHost: x'],
  ['login --password hunter22 now', 'login --password [REDACTED] now'],
  ['my password is s3cr3t!', 'my password is [REDACTED]'],
  ['my API key: abcdef', 'my API key: [REDACTED]'],
  ['secret: token: abc', 'secret: token: [REDACTED]'],
];

test.each(TEXTS)('redacts %j', (text, expected) => {
  expect(redactText(text)).toBe(expected);
  expect(redactText(expected)).toBe(expected);
});

// Written apart, or the linter takes the placeholders for a slip.
const PLACE = '$' + '{NAME}';

const SURVIVORS = [
  'run_01jk8q2m4v6x8z0b2d4f6h8k0m evt_01jk8q2m4v6x8z0b2d4f6h8k0n lease_01jk8q2m4v6x8z0b2d4f6h8k0p',
  'session_01jk8q2m4v6x8z0b2d4f6h8k0m mem_01jk8q2m4v6x8z0b2d4f6h8k0n art_01jk8q2m4v6x8z0b2d4f6h8k0p',
  '123e4567-e89b-42d3-a456-426614174000',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '2026-02-19T10:11:12.345Z and 2026-02-19, call +1 (555) 123-4567, mail a.b+c@example.com',
  '/home/user/projects/secret-service/src/token/parse-token.ts:12:5',
  'http://localhost:8080/callback?email=someone@example.com',
  'git@github.com:owner/repo.git and ssh://git@github.com/owner/repo',
  'task-1234567890123456789012345 risk-assessment-report-2026-final-version',
  '{"usage":{"input_tokens":12,"output_tokens":34,"max_tokens":100},"token_count":5,"key":"abc"}',
  'missing Bearer token; use Basic authentication with Basic TypeScript',
  'the password is wrong, a token is required, the secret is out',
  'function f(token: string, password?: string): Promise<void> { const token = getToken(); }',
  `const secret = process.env.APP_SECRET; headers.authorization = \`Bearer ${PLACE}\`;`,
  `password: ${PLACE}\ntoken: <your-token>\nsecret: "***"\napi_key: {{ key }}`,
  'if (token === undefined || password !== other.password) return tokens[0];',
  '{"password":{"type":"string"},"secrets":[],"credentials":{},"tokens":["the","fox"]}',
  'public_key: abc idempotency_key=abc cache_key: x monkey: y',
  'HOME=/root\nPWD=/workspace/project\nOLDPWD=/workspace\nexport PWD="/a b" && cd "$PWD"',
];

test.each(SURVIVORS)('leaves %j alone', (text) => {
  expect(redactText(text)).toBe(text);
});

test('replaces members by name, at any depth, and names their paths in document order', () => {
  const input = {
    request_id: 'req_01jk8q2m4v6x8z0b2d4f6h8k0m',
    input: {
      token: 'abc',
      items: [{ token: 'x' }, { note: 'Bearer abcdef' }],
      headers: { 'x-api-key': 'z', 'a b': 'sk-1234567890abcdef' },
      secrets: { first: 'q', rest: ['r', true, null] },
      env: [
        { name: 'DB_PASSWORD', value: 'v' },
        { name: 'HOME', value: '/root' },
      ],
      pin_password: 1234,
      has_password: true,
      password: '',
      max_tokens: 5,
    },
  };

  expect(redact(input, 'payload')).toEqual({
    value: {
      request_id: 'req_01jk8q2m4v6x8z0b2d4f6h8k0m',
      input: {
        token: '[REDACTED]',
        items: [{ token: '[REDACTED]' }, { note: 'Bearer [REDACTED]' }],
        headers: { 'x-api-key': '[REDACTED]', 'a b': '[REDACTED]' },
        secrets: { first: '[REDACTED]', rest: ['[REDACTED]', true, null] },
        env: [
          { name: 'DB_PASSWORD', value: '[REDACTED]' },
          { name: 'HOME', value: '/root' },
        ],
        pin_password: '[REDACTED]',
        has_password: true,
        password: '',
        max_tokens: 5,
      },
    },
    paths: [
      'payload.input.token',
      'payload.input.items[0].token',
      'payload.input.items[1].note',
      'payload.input.headers.x-api-key',
      'payload.input.headers["a b"]',
      'payload.input.secrets.first',
      'payload.input.secrets.rest[0]',
      'payload.input.env[0].value',
      'payload.input.pin_password',
    ],
  });
});

test('answers with the same reference when there is nothing to replace', () => {
  const clean = { a: [{ b: 'text' }, 1, null], token: '', next: { max_tokens: 3 } };
  const half = { clean, dirty: { token: 'abc' } };

  expect(redact(clean, 'payload').value).toBe(clean);
  expect(redact(half, 'payload').value.clean).toBe(clean);
  expect(half.dirty.token).toBe('abc');
});

test('redacts names of members, keeps every member, and keeps __proto__ a plain one', () => {
  const input = JSON.parse(
    '{"sk-1234567890abcdef":1,"sk-1234567890abcdeg":2,"__proto__":{"token":"abc"}}',
  ) as JsonValue;

  const { value, paths } = redact(input, 'payload');

  expect(JSON.stringify(value)).toBe(
    '{"[REDACTED]":1,"[REDACTED] 2":2,"__proto__":{"token":"[REDACTED]"}}',
  );
  expect(paths).toEqual(['payload.[REDACTED]', 'payload.[REDACTED]', 'payload.__proto__.token']);
});

test('replaces what lies too deep to be read', () => {
  let deep: JsonValue = 'bottom';
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) deep = [deep];

  const { value, paths } = redact(deep, 'payload');

  expect(JSON.stringify(value)).toContain('"[REDACTED]"');
  expect(JSON.stringify(value)).not.toContain('bottom');
  expect(paths).toEqual([`payload${'[0]'.repeat(MAX_DEPTH)}`]);
});

test('knows exact values in every spelling, from the moment they are added', () => {
  const secrets: string[] = [];
  const redactor = createRedactor({ secrets: () => secrets });
  const before = redactor.redact({ 'plain-value': 'plain-value' }, 'p');
  secrets.push('plain-value', 'with "quote"', 'plain-value-longer', 'short', 'overlap-plain');

  const after = redactor.redact({ 'plain-value': 'plain-value', short: 'short' }, 'p');
  const texts = [
    'plain-value-longer',
    'a with \\"quote\\" b',
    'with%20%22quote%22',
    'overlap-plain-value',
  ];

  expect(before.paths).toEqual([]);
  expect(after.value).toEqual({ '[REDACTED]': '[REDACTED]', short: 'short' });
  expect(texts.map((text) => redactor.redactText(text))).toEqual([
    '[REDACTED]',
    'a [REDACTED] b',
    '[REDACTED]',
    '[REDACTED]',
  ]);
});

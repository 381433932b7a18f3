import { expect, test } from 'vitest';
import { findSecrecy } from './secret-names.ts';

const SECRET = [
  ...['token', 'secret', 'password', 'passwd', 'pwd', 'api_key', 'apikey', 'api-key', 'apiKey'],
  ...['APIKey', 'x-api-key', 'X-Api-Key', 'authorization', 'Proxy-Authorization', 'cookie'],
  ...['set-cookie', 'Set-Cookie', 'private_key', 'privateKey', 'client_secret', 'clientSecret'],
  ...['access_token', 'accessToken', 'accesstoken', 'refresh_token', 'id_token', 'csrf_token'],
  ...['db_password', 'dbPassword', 'DB_PASS', 'password2', 'new_password', 'password_hash'],
  ...['token_value', 'OPENAI_API_KEY', 'STRIPE_KEY', 'aws_secret_access_key', 'signingKey'],
  ...['PASSWD', 'DB_PWD', 'MYSQL_PWD', 'PGPASSWORD'],
];

const CONTAINER = ['secrets', 'passwords', 'cookies', 'credentials', 'api_keys', 'access_tokens'];

const PLAIN = [
  ...['tokens', 'tokens_in', 'input_tokens', 'output_tokens', 'max_tokens', 'total_tokens'],
  ...['token_count', 'token_type', 'token_id', 'max_token', 'cost_per_token', 'key', 'keys'],
  ...['public_key', 'PUBLIC_KEY', 'PRIMARY_KEY', 'idempotency_key', 'IDEMPOTENCY_KEY', 'cache_key'],
  ...['tool_call_id', 'request_id', 'run_id', 'session_id', 'key_id', 'secrets_ref', 'secret_name'],
  ...['password_policy', 'monkey', 'keyboard', 'bypass', 'first_pass', 'compass', 'passenger', ''],
  ...['PWD', 'OLDPWD'],
];

test('names of secrets are known in every spelling', () => {
  const missed = SECRET.filter((name) => findSecrecy(name) !== 'value');

  expect(missed).toEqual([]);
});

test('names of collections of secrets are containers', () => {
  const missed = CONTAINER.filter((name) => findSecrecy(name) !== 'container');

  expect(missed).toEqual([]);
});

test('counters, references, public ids and a bare key are no secrets', () => {
  const struck = PLAIN.filter((name) => findSecrecy(name) !== undefined);

  expect(struck).toEqual([]);
});

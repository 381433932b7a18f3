import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkClaims, isSignedWith, parseToken, signToken } from './signature.ts';

const NOW = 1_771_500_000;
const CLAIMS = { iat: NOW, exp: NOW + 60, nonce: 'nonce-1' };

test('signs the payload segment as the contract says', () => {
  const token = signToken({ iat: 1, exp: 2, nonce: 'n', user_id: 42 }, 'secret');

  const payload = 'eyJpYXQiOjEsImV4cCI6Miwibm9uY2UiOiJuIiwidXNlcl9pZCI6NDJ9';
  const signature = createHmac('sha256', 'secret').update(payload).digest('base64url');
  expect(token).toBe(`v1.${payload}.${signature}`);
});

test('knows a token by its secret', () => {
  const token = parseToken(signToken(CLAIMS, 'secret'));

  expect(token && isSignedWith(token, 'secret')).toBe(true);
  expect(token && isSignedWith(token, 'secreT')).toBe(false);
});

test('refuses a signature that differs in its unused last bits', () => {
  const text = signToken(CLAIMS, 'secret');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(text.at(-1) ?? '');
  // The last of 43 characters carries four bits; the other two change nothing but the text.
  const other = `${text.slice(0, -1)}${alphabet[last ^ 1]}`;

  const token = parseToken(other);

  expect(token && isSignedWith(token, 'secret')).toBe(false);
});

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  ['another version', `v2.${json(CLAIMS)}.c2ln`],
  ['no signature', `v1.${json(CLAIMS)}`],
  ['an empty signature', `v1.${json(CLAIMS)}.`],
  ['four parts', `v1.${json(CLAIMS)}.c2ln.c2ln`],
  ['padding', `v1.${json(CLAIMS)}.c2ln==`],
  ['the other alphabet', 'v1.ab+/.c2ln'],
  ['no JSON', `v1.${Buffer.from('hello').toString('base64url')}.c2ln`],
  ['a list', `v1.${json([1])}.c2ln`],
  ['null', `v1.${json(null)}.c2ln`],
  ['great length', `v1.${'a'.repeat(9000)}.c2ln`],
])('reads no token from a text with %s', (_name, text) => {
  expect(parseToken(text)).toBeUndefined();
});

test.each<[name: string, claims: object, problem: string]>([
  ['no iat', { iat: undefined }, 'invalid token claims'],
  ['no exp', { exp: undefined }, 'invalid token claims'],
  ['no nonce', { nonce: undefined }, 'invalid token claims'],
  ['an empty nonce', { nonce: '' }, 'invalid token claims'],
  ['a nonce of great length', { nonce: 'n'.repeat(256) }, 'invalid token claims'],
  ['a time as text', { exp: String(NOW + 60) }, 'invalid token claims'],
  ['a broken time', { exp: NOW + 60.5 }, 'invalid token claims'],
  ['a user id as text', { user_id: '42' }, 'invalid token claims'],
  ['a run id as number', { run_id: 7 }, 'invalid token claims'],
  ['its end reached', { iat: NOW - 60, exp: NOW }, 'token expired'],
  ['a start too far ahead', { iat: NOW + 31, exp: NOW + 90 }, 'token issued in the future'],
  ['an end at its start', { iat: NOW + 10, exp: NOW + 10 }, 'invalid token claims'],
  ['too long a life', { iat: NOW, exp: NOW + 3601 }, 'token lifetime exceeds 3600 seconds'],
])('refuses claims with %s', (_name, claims, problem) => {
  const given = JSON.parse(JSON.stringify({ ...CLAIMS, ...claims }));

  expect(checkClaims(given, NOW)).toEqual({ problem });
});

test.each<[name: string, claims: object]>([
  ['a start half a minute ahead', { iat: NOW + 30, exp: NOW + 60 }],
  ['an hour to live', { iat: NOW, exp: NOW + 3600 }],
  ['one second left', { iat: NOW - 59, exp: NOW + 1 }],
  ['every fact', { run_id: 'run_1', thread_id: 't', user_id: -1, guest_scope: 'g' }],
])('takes claims with %s', (_name, claims) => {
  const given = { ...CLAIMS, ...claims };

  expect(checkClaims(given, NOW)).toEqual({ claims: given });
});

test('takes null and empty texts for nothing claimed', () => {
  const given = { ...CLAIMS, run_id: null, user_id: null, thread_id: '', guest_scope: '' };

  expect(checkClaims(given, NOW)).toEqual({ claims: CLAIMS });
});

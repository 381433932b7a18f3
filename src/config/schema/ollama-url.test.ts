import { expect, test } from 'vitest';
import { toOllamaUrl } from './ollama-url.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:11434'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['[::]:9000', 'http://[::1]:9000'],
  ['gpu-box:80', 'http://gpu-box'],
  ['http://gpu-box', 'http://gpu-box'],
  ['https://ollama.example.com:444/base/', 'https://ollama.example.com:444/base'],
  ['not a host', 'not a host'],
])('reads %s as %s', (text, url) => {
  expect(toOllamaUrl(text)).toBe(url);
});

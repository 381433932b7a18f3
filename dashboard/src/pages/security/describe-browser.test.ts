import { expect, test } from 'vitest';
import { describeBrowser } from './describe-browser.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
    'Safari on iOS',
  ],
  ['curl/8.1', 'curl/8.1'],
  ['', 'A browser without a name'],
])('%s is %s', (userAgent, words) => {
  expect(describeBrowser(userAgent)).toBe(words);
});

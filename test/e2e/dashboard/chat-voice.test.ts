import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { conversation, PATIENT } from './chat-rig.ts';
import { BROWSER, type DashboardRoot, openDashboard } from './dashboard-root.ts';
import { lookAt } from './look-at.ts';

const it = test.skipIf(!BROWSER.available);

/** The machine of the tests has no microphone: a tone takes its place. */
const MICROPHONE = `navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext();
  window.heardSeconds = () => context.currentTime;
  const tone = context.createOscillator();
  const out = context.createMediaStreamDestination();
  tone.connect(out);
  tone.start();
  return out.stream;
}`;

let root: DashboardRoot | undefined;
let speech: Server | undefined;

afterEach(async () => {
  await root?.dispose();
  root = undefined;
  speech?.closeAllConnections();
  await new Promise((resolve) => (speech ? speech.close(resolve) : resolve(undefined)));
  speech = undefined;
});

/** Hears always the same, and speaks silence. */
async function openSpeech(): Promise<string> {
  speech = createServer((request, response) => {
    request.resume().on('end', () => {
      const isHeard = request.url?.endsWith('/transcriptions') === true;
      response.setHeader('content-type', isHeard ? 'application/json' : 'audio/mpeg');
      response.end(isHeard ? '{"text":"Say <b>it</b> aloud"}' : createSilence());
    });
  });
  await new Promise<void>((resolve) => speech?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(speech.address() as AddressInfo).port}/v1`;
}

function createSilence(): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: 40 }, () => frame));
}

async function speakOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Speak' }).click();
  await page.getByRole('button', { name: /^Listening/ }).waitFor();
  await expect.poll(() => page.evaluate('heardSeconds()'), PATIENT).toBeGreaterThan(0.5);
  await page.getByRole('button', { name: /^Listening/ }).click();
}

it('hears what is said, answers in a chat of its own, and reads the answer out there', async () => {
  const openai = { base_url: await openSpeech(), api_key: 'sk-for-the-loopback-only' };
  root = await openDashboard({
    steps: [{ text: ['It is said.'] }],
    config: {
      providers: { openai },
      voice: { stt_provider: 'openai', tts_provider: 'openai' },
    },
  });
  const page = await root.open('/chat/new');
  await page.evaluate(MICROPHONE);

  await speakOn(page);
  await page.waitForURL(/\/chat\/session_/);
  await conversation(page).getByText('It is said.').waitFor();
  const player = page.getByLabel('The answer, spoken');
  await player.waitFor();

  expect(await conversation(page).getByText('Say <b>it</b> aloud').count()).toBe(1);
  expect(await player.getAttribute('src')).toMatch(/^\/api\/voice\/output\/tts_[\w-]+\.mp3$/);
});

it('says what is missing where voice is not set up, keeps what was said, and begins one chat at most', async () => {
  root = await openDashboard();
  const page = await root.open('/chat/new');
  await page.evaluate(MICROPHONE);

  await speakOn(page);
  await page.getByText(/Run "claw voice install"/).waitFor();
  const again = page.getByRole('button', { name: 'Send the recording again' });
  const sentAgain = page.waitForResponse(/\/api\/voice\/process/);
  await again.click();
  expect((await sentAgain).status()).toBe(503);
  await page.getByRole('button', { name: 'Forget the recording' }).click();
  expect(await again.count()).toBe(0);
  const refused = page.waitForResponse(/\/api\/voice\/process/);
  await speakOn(page);

  expect((await refused).status()).toBe(503);
  const { sessions } = (await root.ask('GET', '/api/admin/chat/sessions')) as {
    sessions: readonly unknown[];
  };
  expect(sessions).toHaveLength(1);
  expect(new URL(page.url()).pathname).toBe('/dashboard/chat/new');
});

/** Asks whoever sits in front of it first, as browsers do; `allow()` is their answer. */
const ASKED_FIRST = `{
  const open = navigator.mediaDevices.getUserMedia;
  window.streams = [];
  window.asked = 0;
  const answered = new Promise((resolve) => { window.allow = resolve; });
  navigator.mediaDevices.getUserMedia = async () => {
    window.asked += 1;
    await answered;
    const stream = await open();
    window.streams.push(stream);
    return stream;
  };
}`;

const OPEN_STREAMS = `streams.filter((one) => one.getTracks().some((track) => track.readyState === 'live')).length`;

it('asks once for the microphone, and leaves it alone when nobody waits for it any more', async () => {
  root = await openDashboard();
  const page = await root.open('/chat/new');
  await page.evaluate(MICROPHONE);
  await page.evaluate(ASKED_FIRST);

  await page.getByRole('button', { name: 'Speak' }).dblclick();
  expect(await page.evaluate('asked')).toBe(1);
  await lookAt(page, '/runs');
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  await page.evaluate('allow()');

  await expect.poll(() => page.evaluate('streams.length'), PATIENT).toBe(1);
  await expect.poll(() => page.evaluate(OPEN_STREAMS), PATIENT).toBe(0);

  // Nor when it can't be recorded.
  await page.evaluate(`MediaRecorder.prototype.start = () => { throw new Error('no') }`);
  await lookAt(page, '/chat/new');
  await page.getByRole('button', { name: 'Speak' }).click();
  await page.getByText(/can not record/).waitFor();
  expect(await page.evaluate(`[streams.length, ${OPEN_STREAMS}]`)).toEqual([2, 0]);
});

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { readEnvironment } from '../../../../src/config/environment.ts';
import { atEnd } from '../../../support/at-end.ts';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { openTeamServer, type TeamOptions, type TeamServer } from '../open-team-server.ts';

export interface SpeechRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Respond = (response: ServerResponse, request: SpeechRequest) => void;

export interface SpeechProvider {
  readonly url: string;
  readonly requests: readonly SpeechRequest[];
}

/** The bytes of an MP3 that nobody decodes. */
export const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(996, 7)]);

/** A loopback server in the place of OpenAI and ElevenLabs, which hears and speaks as it is told. */
export async function openSpeechProvider(
  respond: Partial<Record<'hear' | 'speak', Respond>> = {},
): Promise<SpeechProvider> {
  const { hear = hears('resume project status for today'), speak = speaks } = respond;
  const requests: SpeechRequest[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const received = { path: request.url ?? '', headers: request.headers, body };
      requests.push(received);
      (received.path.endsWith('/transcriptions') ? hear : speak)(response, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export function hears(text: string): Respond {
  return says(200, { text });
}

export function says(status: number, body: unknown): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

function speaks(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'audio/mpeg' });
  response.end(MP3);
}

export interface VoiceOptions extends TeamOptions {
  readonly provider?: SpeechProvider;
  /** Of the section `voice`. */
  readonly voice?: object;
}

/** With agents Lince, Búho and Sastre; OpenAI hears and ElevenLabs speaks, unless it is said otherwise. */
export async function openVoiceServer(options: VoiceOptions = {}): Promise<TeamServer> {
  const { provider, voice = {}, config = {}, env = {}, ...others } = options;
  const [engine] = TEST_ENGINES;
  if (!engine) throw new Error('there is no engine to test with');
  const url = provider?.url ?? 'http://127.0.0.1:9';
  return openTeamServer(engine, {
    ...others,
    // An empty one is unset.
    env: readEnvironment({
      OPENAI_API_KEY: 'sk-test-1',
      OPENAI_BASE_URL: `${url}/v1`,
      ELEVENLABS_API_KEY: 'el-test-1',
      ELEVENLABS_BASE_URL: url,
      ELEVENLABS_DEFAULT_VOICE_ID: 'usual',
      ...env,
    }),
    config: {
      ...config,
      voice: { stt_provider: 'openai', tts_provider: 'elevenlabs', ...voice },
    },
  });
}

/** A second of a tone, as a WAV file whose header may lie. */
export function toWav(lie: { rate?: number; channels?: number; bytes?: number } = {}): Buffer {
  const samples = Int16Array.from({ length: 16_000 }, (_, at) => 8_000 * Math.sin(at / 6));
  const data = Buffer.from(samples.buffer);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(lie.bytes ?? 36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(lie.channels ?? 1, 22);
  header.writeUInt32LE(lie.rate ?? 16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(lie.bytes ?? data.length, 40);
  return Buffer.concat([header, data]);
}

export const WAV = toWav();
export const SPOKEN = { agent_id: 'lince', audio_base64: WAV.toString('base64') };

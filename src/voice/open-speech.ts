import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/log.ts';
import type { Speaker, Speech, Transcriber } from '../core/voice/speech.ts';
import { voiceMisconfigured } from '../core/voice/voice-errors.ts';
import type { SpeechService } from './http/request-speech.ts';
import { findInstallState, type InstallState } from './install/installed.ts';
import type { LocalSpeech } from './local/local-speech.ts';

/** As the configuration and the environment are now. */
export interface SpeechSettings {
  /** As they were given: what is none of ours is refused by a request, with the names there are. */
  readonly sttProvider: string;
  readonly ttsProvider: string;
  readonly openai: {
    readonly baseUrl: string | undefined;
    readonly sttModel: string;
    readonly ttsModel: string;
    readonly voice: string;
  };
  readonly elevenlabs: {
    readonly baseUrl: string;
    readonly model: string;
    readonly voice: string | undefined;
  };
  readonly timeoutMs: number;
  readonly idleMs: number;
}

export interface SpeechDeps {
  readonly settings: () => SpeechSettings;
  /** Where `claw voice install` puts the models. */
  readonly localFolder: string;
  findKey(provider: KeyedSpeech): Promise<SpeechService['key'] | undefined>;
  /** Throws while no provider may be asked. */
  readonly assertMayCall: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type KeyedSpeech = 'openai' | 'elevenlabs';

export interface OpenedSpeech extends Speech {
  /** For whoever only speaks, or only listens. Throw as `choose` does. */
  chooseTranscriber(): Promise<Transcriber>;
  chooseSpeaker(voice: string | undefined): Promise<Speaker>;
  close(): Promise<void>;
}

const KEYS = {
  openai: { variable: 'OPENAI_API_KEY', name: 'OpenAI' },
  elevenlabs: { variable: 'ELEVENLABS_API_KEY', name: 'ElevenLabs' },
} as const satisfies Record<KeyedSpeech, object>;

/** Speech by whoever is configured at each request. Nothing is loaded before it is needed. */
export function openSpeech(deps: SpeechDeps): OpenedSpeech {
  let opened: Promise<LocalSpeech> | undefined;
  const local = () => {
    opened ??= openLocal(deps);
    return opened;
  };

  const chooseTranscriber = async (): Promise<Transcriber> => {
    const { sttProvider: provider, openai } = deps.settings();
    if (provider === 'local') {
      await assertInstalled(deps, 'STT_PROVIDER');
      return (await local()).transcriber;
    }
    if (provider !== 'openai') throw unknown('STT_PROVIDER', ['local', 'openai']);
    const service = await openService(deps, provider, 'STT_PROVIDER');
    const { createOpenAiTranscriber } = await import('./http/openai-speech.ts');
    return createOpenAiTranscriber(service, openai.sttModel);
  };

  const chooseSpeaker = async (voice: string | undefined): Promise<Speaker> => {
    const { ttsProvider: provider, openai, elevenlabs } = deps.settings();
    if (provider === 'local') {
      await assertInstalled(deps, 'TTS_PROVIDER');
      return (await local()).createSpeaker(voice);
    }
    if (provider === 'openai') {
      const service = await openService(deps, provider, 'TTS_PROVIDER');
      const { createOpenAiSpeaker } = await import('./http/openai-speech.ts');
      const { ttsModel: model, voice: usualVoice } = openai;
      return createOpenAiSpeaker(service, { model, voice, usualVoice });
    }
    if (provider !== 'elevenlabs') throw unknown('TTS_PROVIDER', ['local', 'openai', 'elevenlabs']);
    const service = await openService(deps, provider, 'TTS_PROVIDER');
    const wanted = voice ?? elevenlabs.voice;
    if (wanted === undefined) {
      throw voiceMisconfigured('Set ELEVENLABS_DEFAULT_VOICE_ID when TTS_PROVIDER=elevenlabs.');
    }
    const { createElevenLabsSpeaker } = await import('./http/elevenlabs-speech.ts');
    return createElevenLabsSpeaker(service, { model: elevenlabs.model, voice: wanted });
  };

  return {
    inspect: async (bytes, signal) => (await local()).inspect(bytes, signal),
    chooseTranscriber,
    chooseSpeaker,
    async choose(voice) {
      const transcriber = await chooseTranscriber();
      return { transcriber, speaker: await chooseSpeaker(voice) };
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

async function openLocal({ localFolder, settings, clock, logger }: SpeechDeps) {
  const { createLocalSpeech } = await import('./local/local-speech.ts');
  const idleMs = () => settings().idleMs;
  return createLocalSpeech({ folder: localFolder, idleMs, clock, logger });
}

async function openService(
  deps: SpeechDeps,
  provider: KeyedSpeech,
  setting: 'STT_PROVIDER' | 'TTS_PROVIDER',
): Promise<SpeechService> {
  const { variable, name } = KEYS[provider];
  const key = await deps.findKey(provider);
  if (key === undefined) throw voiceMisconfigured(`Set ${variable} when ${setting}=${provider}.`);
  const { openai, elevenlabs, timeoutMs } = deps.settings();
  const baseUrl =
    provider === 'openai' ? (openai.baseUrl ?? 'https://api.openai.com/v1') : elevenlabs.baseUrl;
  const { assertMayCall, clock } = deps;
  return { name, baseUrl, key, timeoutMs, assertMayCall, clock };
}

const NEXT_STEPS = {
  missing: 'Run claw voice install',
  damaged: 'Its files are incomplete: run claw voice install again',
  outdated: 'Its files are of another version: run claw voice install again',
} as const satisfies Record<Exclude<InstallState, 'installed'>, string>;

async function assertInstalled(
  { localFolder }: SpeechDeps,
  setting: 'STT_PROVIDER' | 'TTS_PROVIDER',
): Promise<void> {
  const state = await findInstallState(localFolder);
  if (state === 'installed') return;
  throw voiceMisconfigured(`${NEXT_STEPS[state]} when ${setting}=local.`);
}

function unknown(setting: string, known: readonly string[]): Error {
  return voiceMisconfigured(
    `Set ${setting} to ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
  );
}

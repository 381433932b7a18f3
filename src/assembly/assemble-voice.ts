import { join, resolve } from 'node:path';
import type { Closing } from '../closing-list.ts';
import { readVoiceProviders } from '../config/environment.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { systemClock } from '../core/clock.ts';
import type { SwitchWatch } from '../core/kill-switch/kill-switch.ts';
import type { Logger } from '../core/log.ts';
import { toProviderSecret } from '../core/secrets/secret-references.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import type { VoiceDeps } from '../core/voice/answer-aloud.ts';
import { createVoice, type Voice } from '../core/voice/voice.ts';
import type { Controls } from '../open-controls.ts';
import { createKeyFinder, findProviderKey } from '../providers/provider-key.ts';
import {
  type OpenedSpeech,
  openSpeech,
  type SpeechDeps,
  type SpeechSettings,
} from '../voice/open-speech.ts';
import { openSpokenFiles } from '../voice/output/open-spoken-files.ts';
import { toGivenKeys } from './assemble-models.ts';

export interface SpeechGround {
  readonly live: Pick<LiveConfig, 'current'>;
  readonly secrets: Pick<Secrets, 'find'>;
  readonly killSwitch: Pick<SwitchWatch, 'assertOff'>;
  readonly logger: Logger;
}

export interface VoiceGround extends SpeechGround, Pick<Controls, 'assertMaySubmit'> {
  readonly closing: Closing;
}

/** Agents that hear and speak. Nothing of it is loaded before somebody speaks. */
export function assembleVoice(
  ground: VoiceGround,
  parts: Pick<VoiceDeps, 'runs' | 'sessions' | 'agents'>,
): Voice {
  const { live, closing, assertMaySubmit } = ground;
  const speech = assembleSpeech(ground);
  const files = openSpokenFiles({
    folder: () => toOutputFolder(live.current()),
    maxAgeMs: () => live.current().config.voice.output_max_age_ms,
    clock: systemClock,
  });
  closing.add(async () => {
    files.close();
    await speech.close();
  });
  return createVoice({
    ...parts,
    ...{ speech, files, assertMaySubmit },
    answerTimeoutMs: () => live.current().config.voice.answer_timeout_ms,
  });
}

/** Speech alone, for commands too. */
export function assembleSpeech({ live, secrets, killSwitch, logger }: SpeechGround): OpenedSpeech {
  return openSpeech({
    settings: () => toSettings(live.current()),
    localFolder: toLocalFolder(live.current()),
    findKey: createSpeechKeys({ live, secrets }),
    assertMayCall: () => killSwitch.assertOff(),
    clock: systemClock,
    logger,
  });
}

/** Where `claw voice install` puts what it brings. */
export function toLocalFolder({ paths }: Pick<LoadedConfig, 'paths'>): string {
  return join(paths.stateDir, 'voice', 'local');
}

function toOutputFolder({ paths, config }: LoadedConfig): string {
  const { output_dir: folder } = config.voice;
  return folder === null ? join(paths.stateDir, 'voice', 'output') : resolve(paths.root, folder);
}

export function toSettings({ config }: LoadedConfig): SpeechSettings {
  const { openai, elevenlabs, ...voice } = config.voice;
  const { stt = voice.stt_provider, tts = voice.tts_provider } = readVoiceProviders();
  return {
    sttProvider: stt,
    ttsProvider: tts,
    openai: {
      baseUrl: config.providers.openai.base_url,
      sttModel: openai.stt_model,
      ttsModel: openai.tts_model,
      voice: openai.voice,
    },
    elevenlabs: {
      baseUrl: elevenlabs.base_url,
      model: elevenlabs.model,
      voice: elevenlabs.voice ?? undefined,
    },
    timeoutMs: voice.timeout_ms,
    idleMs: voice.idle_ms,
  };
}

/** Environment, then the secret store, then, for OpenAI, the file. */
function createSpeechKeys({ live, secrets }: Pick<SpeechGround, 'live' | 'secrets'>) {
  const keys = createKeyFinder({ given: () => toGivenKeys(live.current()), secrets });
  const findKey: SpeechDeps['findKey'] = async (provider) => {
    if (provider === 'openai') return findProviderKey('openai', { keys });
    const { elevenLabsKey } = live.current().credentials;
    if (elevenLabsKey !== undefined) return { value: elevenLabsKey, place: 'ELEVENLABS_API_KEY' };
    const name = toProviderSecret('elevenlabs');
    const value = await secrets.find(name);
    return value === undefined ? undefined : { value, place: `secret ${name}` };
  };
  return findKey;
}

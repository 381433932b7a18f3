import { dirname, join } from 'node:path';
import { assembleSpeech, toLocalFolder, toSettings } from './assembly/assemble-voice.ts';
import { type Environment, readProcessEnvironment } from './config/environment.ts';
import { loadConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import { RuntimeError } from './core/errors.ts';
import { createKillSwitch } from './core/kill-switch/kill-switch.ts';
import type { Logger } from './core/log.ts';
import { createRedactor } from './core/redact/create-redactor.ts';
import type { Storage } from './core/storage.ts';
import { notAudio, nothingSaid } from './core/voice/voice-errors.ts';
import { openOwnSecrets } from './open-secrets.ts';
import { makeDirectory } from './platform/owner-only.ts';
import { type FileLock, tryFileLock } from './storage/sqlite/file-lock.ts';
import type { LocalVoice, ProviderStatus } from './surfaces/cli/commands/voice/voice-access.ts';
import { findInstallState } from './voice/install/installed.ts';

export interface OpenVoiceOptions {
  readonly root: string;
  readonly env: Environment;
  readonly logger: Logger;
  /** For reading only; undefined when nothing was ever stored. */
  openStore(): Promise<Pick<Storage, 'killSwitch' | 'close'> | undefined>;
}

/** Speech of a state root for a command, beside a running server or without one. Creates nothing by itself. */
export async function openVoice(options: OpenVoiceOptions): Promise<LocalVoice> {
  const { root, env, logger } = options;
  const loaded = await loadConfig({ root, env });
  const folder = toLocalFolder(loaded);
  const speech = assembleSpeech({
    live: { current: () => loaded },
    secrets: {
      async find(name) {
        const secrets = await openOwnSecrets(loaded, logger);
        try {
          return await secrets.find(name);
        } finally {
          await secrets.close();
        }
      },
    },
    killSwitch: { assertOff: () => assertOff(options) },
    logger,
  });
  return {
    async install({ signal, onStep }) {
      const lock = await lockInstallation(folder);
      try {
        const { installLocalSpeech } = await import('./voice/install/install-local-speech.ts');
        const environment = readProcessEnvironment();
        const deps = { folder, environment, clock: systemClock, signal, onStep };
        return { isNew: await installLocalSpeech(deps), folder };
      } finally {
        lock.close();
      }
    },
    async status() {
      const { sttProvider, ttsProvider } = toSettings(loaded);
      return {
        stt: await tryOut(sttProvider, () => speech.chooseTranscriber()),
        tts: await tryOut(ttsProvider, () => speech.chooseSpeaker(undefined)),
        local: { state: await findInstallState(folder), folder },
      };
    },
    async listen(bytes, signal) {
      if (bytes.length === 0) throw notAudio('there is no audio');
      const clip = await speech.inspect(bytes, signal);
      const transcriber = await speech.chooseTranscriber();
      const transcript = (await transcriber.transcribe(clip, signal)).trim();
      if (transcript === '') throw nothingSaid();
      return { transcript, format: clip.format, durationMs: clip.durationMs };
    },
    speak: async (text, voice, signal) => (await speech.chooseSpeaker(voice)).speak(text, signal),
    close: () => speech.close(),
  };
}

/** Two at once would take each other's tarballs away. */
async function lockInstallation(folder: string): Promise<FileLock> {
  await makeDirectory(dirname(folder));
  const lock = tryFileLock(join(dirname(folder), 'install.lock'));
  if (lock) return lock;
  throw new RuntimeError('conflict', 'local speech is being installed by another command', {
    details: { hint: 'wait until it has ended' },
  });
}

async function tryOut(provider: string, choose: () => Promise<unknown>): Promise<ProviderStatus> {
  try {
    await choose();
    return { provider, nextStep: undefined };
  } catch (thrown) {
    if (!(thrown instanceof RuntimeError) || thrown.code !== 'provider_misconfigured') throw thrown;
    return { provider, nextStep: String(thrown.details?.['recovery_action'] ?? thrown.message) };
  }
}

/** A switch that nobody ever touched, in a store that does not exist, is off. */
async function assertOff({ openStore, logger }: OpenVoiceOptions): Promise<void> {
  const store = await openStore();
  if (store === undefined) return;
  try {
    const redactor = createRedactor({ secrets: () => [] });
    const deps = { store: store.killSwitch, clock: systemClock, logger, redactor };
    await createKillSwitch(deps).assertOff();
  } finally {
    await store.close();
  }
}

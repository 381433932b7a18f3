import type { CliContext } from '../../program/context.ts';
import type { LocalVoice } from './voice-access.ts';

/** Opens speech for one command, and ends its threads whatever comes of it. */
export async function withVoice<T>(
  { parts, root, live }: CliContext,
  use: (voice: LocalVoice) => Promise<T>,
): Promise<T> {
  const voice = await parts.openVoice({ root, warn: live.warn });
  try {
    return await use(voice);
  } finally {
    await voice.close();
  }
}

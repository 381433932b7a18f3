import type { Runtime } from './app.ts';

/** Whether this process may work: its storage answers, and it can open the secrets that it has to strike. */
export async function pingAll({
  storage,
  secrets,
}: Pick<Runtime, 'storage' | 'secrets'>): Promise<void> {
  await storage.ping();
  await secrets.refresh();
}

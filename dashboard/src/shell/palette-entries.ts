import {
  Bot,
  BrainCircuit,
  LogOut,
  type LucideIcon,
  Moon,
  SquareActivity,
  Sun,
  SunMoon,
} from 'lucide-react';
import { client } from '../api/client.ts';
import { signOut } from '../api/session.ts';
import { chooseTheme } from '../kit/theme.ts';
import { toastError } from '../kit/toasts.tsx';
import { ROUTES } from './routes.ts';

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: LucideIcon;
  readonly to?: string;
  readonly run?: () => void;
}

/** What is asked of the server once something was typed. */
interface PaletteSource {
  /** The operation that is asked. */
  readonly name: string;
  load(text: string): Promise<readonly PaletteEntry[]>;
}

const MAX_OF_EACH = 5;
const MAX_AGENTS = 200;

const ACTIONS: readonly PaletteEntry[] = [
  {
    id: 'new-chat',
    label: 'New chat',
    hint: 'action',
    icon: ROUTES[1]?.icon ?? Bot,
    to: '/chat/new',
  },
  { id: 'light', label: 'Light theme', hint: 'action', icon: Sun, run: () => chooseTheme('light') },
  { id: 'dark', label: 'Dark theme', hint: 'action', icon: Moon, run: () => chooseTheme('dark') },
  {
    id: 'system',
    label: 'Theme of the system',
    hint: 'action',
    icon: SunMoon,
    run: () => chooseTheme('system'),
  },
  {
    id: 'stop-all',
    label: 'Stop everything (kill switch)',
    hint: 'action',
    icon: LogOut,
    to: '/costs#kill-switch',
  },
  {
    id: 'sign-out',
    label: 'Sign out',
    hint: 'action',
    icon: LogOut,
    run: () => void signOut().catch(toastError),
  },
];

const PAGES: readonly PaletteEntry[] = ROUTES.map(({ path, label, icon }) => ({
  id: `page ${path}`,
  label,
  hint: 'page',
  icon,
  to: path,
}));

/** Of what this page knows itself. */
export function findEntries(text: string): readonly PaletteEntry[] {
  const wanted = text.toLowerCase();
  return [...PAGES, ...ACTIONS].filter(({ label }) => label.toLowerCase().includes(wanted));
}

/** Each is loaded with what it asks when it is first needed: the first page does not wait for it. */
export const PALETTE_SOURCES: readonly PaletteSource[] = [
  {
    name: 'agents.list',
    async load(text) {
      const { listAgents } = await import('../../../src/operations/agents/agents.ts');
      const { agents } = await client.call(listAgents, { query: { limit: MAX_AGENTS } });
      const wanted = text.toLowerCase();
      return agents
        .filter(({ agent_id, name }) => `${name} ${agent_id}`.toLowerCase().includes(wanted))
        .slice(0, MAX_OF_EACH)
        .map(({ agent_id, name }) => ({
          id: `agent ${agent_id}`,
          label: name,
          hint: 'agent',
          icon: Bot,
          to: `/agents/${encodeURIComponent(agent_id)}`,
        }));
    },
  },
  {
    name: 'runs.list',
    async load(text) {
      const { getRun, listRuns } = await import('../../../src/operations/runs/runs.ts');
      const runs = /^run_/.test(text)
        ? [await client.call(getRun, { params: { run_id: text } })]
        : (await client.call(listRuns, { query: { q: text, limit: MAX_OF_EACH } })).runs;
      return runs.map(({ id, message }) => ({
        id: `run ${id}`,
        label: message,
        hint: `run ${id.slice(-6)}`,
        icon: SquareActivity,
        to: `/runs/${id}`,
      }));
    },
  },
  {
    name: 'memory.search',
    async load(text) {
      const { searchMemory } = await import('../../../src/operations/memory/memory.ts');
      const { results } = await client.call(searchMemory, {
        query: { q: text, limit: MAX_OF_EACH },
        headers: {},
      });
      return results.map(({ id, content }) => ({
        id: `memory ${id}`,
        label: content,
        hint: 'memory',
        icon: BrainCircuit,
        to: `/memory/${encodeURIComponent(id)}`,
      }));
    },
  },
];

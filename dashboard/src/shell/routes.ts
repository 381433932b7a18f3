import {
  BadgeDollarSign,
  Blocks,
  Bot,
  BrainCircuit,
  CalendarClock,
  FolderKanban,
  House,
  type LucideIcon,
  MessageSquare,
  ScrollText,
  Settings,
  Share2,
  ShieldCheck,
  SquareActivity,
  Wrench,
} from 'lucide-react';
import { type OpenedPage, opened } from './opened.ts';

export interface Route {
  readonly path: string;
  /** All addresses that lead to it. */
  readonly pattern: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** After `g`. */
  readonly key: string;
  readonly group: 'work' | 'know' | 'run';
  readonly page: OpenedPage;
}

/** Every page. Its code is loaded when it is first opened. */
export const ROUTES: readonly Route[] = [
  {
    path: '/',
    pattern: '/',
    label: 'Home',
    icon: House,
    key: 'h',
    group: 'work',
    page: opened(() => import('../pages/home/home-page.tsx'), 'HomePage'),
  },
  {
    path: '/chat',
    pattern: '/chat/*?',
    label: 'Chat',
    icon: MessageSquare,
    key: 'c',
    group: 'work',
    page: opened(() => import('../pages/chat/chat-page.tsx'), 'ChatPage'),
  },
  {
    path: '/runs',
    pattern: '/runs/*?',
    label: 'Runs',
    icon: SquareActivity,
    key: 'r',
    group: 'work',
    page: opened(() => import('../pages/runs/runs-page.tsx'), 'RunsPage'),
  },
  {
    path: '/schedule',
    pattern: '/schedule/*?',
    label: 'Schedule',
    icon: CalendarClock,
    key: 's',
    group: 'work',
    page: opened(() => import('../pages/schedule/schedule-page.tsx'), 'SchedulePage'),
  },
  {
    path: '/agents',
    pattern: '/agents/*?',
    label: 'Agents',
    icon: Bot,
    key: 'a',
    group: 'know',
    page: opened(() => import('../pages/agents/agents-page.tsx'), 'AgentsPage'),
  },
  {
    path: '/memory',
    pattern: '/memory/*?',
    label: 'Memory',
    icon: BrainCircuit,
    key: 'm',
    group: 'know',
    page: opened(() => import('../pages/memory/memory-page.tsx'), 'MemoryPage'),
  },
  {
    path: '/knowledge',
    pattern: '/knowledge/*?',
    label: 'Knowledge',
    icon: Share2,
    key: 'k',
    group: 'know',
    page: opened(() => import('../pages/knowledge/knowledge-page.tsx'), 'KnowledgePage'),
  },
  {
    path: '/projects',
    pattern: '/projects/*?',
    label: 'Projects',
    icon: FolderKanban,
    key: 'p',
    group: 'know',
    page: opened(() => import('../pages/projects/projects-page.tsx'), 'ProjectsPage'),
  },
  {
    path: '/skills',
    pattern: '/skills/*?',
    label: 'Skills & workers',
    icon: Blocks,
    key: 'w',
    group: 'know',
    page: opened(() => import('../pages/skills/skills-page.tsx'), 'SkillsPage'),
  },
  {
    path: '/tools',
    pattern: '/tools/*?',
    label: 'Tools',
    icon: Wrench,
    key: 't',
    group: 'run',
    page: opened(() => import('../pages/tools/tools-page.tsx'), 'ToolsPage'),
  },
  {
    path: '/costs',
    pattern: '/costs/*?',
    label: 'Costs',
    icon: BadgeDollarSign,
    key: 'o',
    group: 'run',
    page: opened(() => import('../pages/costs/costs-page.tsx'), 'CostsPage'),
  },
  {
    path: '/audit',
    pattern: '/audit/*?',
    label: 'Audit',
    icon: ScrollText,
    key: 'u',
    group: 'run',
    page: opened(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
  },
  {
    path: '/security',
    pattern: '/security/*?',
    label: 'Security',
    icon: ShieldCheck,
    key: 'e',
    group: 'run',
    page: opened(() => import('../pages/security/security-page.tsx'), 'SecurityPage'),
  },
  {
    path: '/settings',
    pattern: '/settings/*?',
    label: 'Settings',
    icon: Settings,
    key: ',',
    group: 'run',
    page: opened(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
  },
];

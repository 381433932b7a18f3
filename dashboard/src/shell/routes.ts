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
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export interface Route {
  readonly path: string;
  /** All addresses that lead to it. */
  readonly pattern: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** After `g`. */
  readonly key: string;
  readonly group: 'work' | 'know' | 'run';
  readonly page: LazyExoticComponent<ComponentType>;
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
    page: lazy(() =>
      import('../pages/home/home-page.tsx').then(({ HomePage }) => ({ default: HomePage })),
    ),
  },
  {
    path: '/chat',
    pattern: '/chat/*?',
    label: 'Chat',
    icon: MessageSquare,
    key: 'c',
    group: 'work',
    page: lazy(() =>
      import('../pages/chat/chat-page.tsx').then(({ ChatPage }) => ({ default: ChatPage })),
    ),
  },
  {
    path: '/runs',
    pattern: '/runs/*?',
    label: 'Runs',
    icon: SquareActivity,
    key: 'r',
    group: 'work',
    page: lazy(() =>
      import('../pages/runs/runs-page.tsx').then(({ RunsPage }) => ({ default: RunsPage })),
    ),
  },
  {
    path: '/schedule',
    pattern: '/schedule/*?',
    label: 'Schedule',
    icon: CalendarClock,
    key: 's',
    group: 'work',
    page: lazy(() =>
      import('../pages/schedule/schedule-page.tsx').then(({ SchedulePage }) => ({
        default: SchedulePage,
      })),
    ),
  },
  {
    path: '/agents',
    pattern: '/agents/*?',
    label: 'Agents',
    icon: Bot,
    key: 'a',
    group: 'know',
    page: lazy(() =>
      import('../pages/agents/agents-page.tsx').then(({ AgentsPage }) => ({ default: AgentsPage })),
    ),
  },
  {
    path: '/memory',
    pattern: '/memory/*?',
    label: 'Memory',
    icon: BrainCircuit,
    key: 'm',
    group: 'know',
    page: lazy(() =>
      import('../pages/memory/memory-page.tsx').then(({ MemoryPage }) => ({ default: MemoryPage })),
    ),
  },
  {
    path: '/knowledge',
    pattern: '/knowledge/*?',
    label: 'Knowledge',
    icon: Share2,
    key: 'k',
    group: 'know',
    page: lazy(() =>
      import('../pages/knowledge/knowledge-page.tsx').then(({ KnowledgePage }) => ({
        default: KnowledgePage,
      })),
    ),
  },
  {
    path: '/projects',
    pattern: '/projects/*?',
    label: 'Projects',
    icon: FolderKanban,
    key: 'p',
    group: 'know',
    page: lazy(() =>
      import('../pages/projects/projects-page.tsx').then(({ ProjectsPage }) => ({
        default: ProjectsPage,
      })),
    ),
  },
  {
    path: '/skills',
    pattern: '/skills/*?',
    label: 'Skills & workers',
    icon: Blocks,
    key: 'w',
    group: 'know',
    page: lazy(() =>
      import('../pages/skills/skills-page.tsx').then(({ SkillsPage }) => ({ default: SkillsPage })),
    ),
  },
  {
    path: '/tools',
    pattern: '/tools/*?',
    label: 'Tools',
    icon: Wrench,
    key: 't',
    group: 'run',
    page: lazy(() =>
      import('../pages/tools/tools-page.tsx').then(({ ToolsPage }) => ({ default: ToolsPage })),
    ),
  },
  {
    path: '/costs',
    pattern: '/costs/*?',
    label: 'Costs',
    icon: BadgeDollarSign,
    key: 'o',
    group: 'run',
    page: lazy(() =>
      import('../pages/costs/costs-page.tsx').then(({ CostsPage }) => ({ default: CostsPage })),
    ),
  },
  {
    path: '/audit',
    pattern: '/audit/*?',
    label: 'Audit',
    icon: ScrollText,
    key: 'u',
    group: 'run',
    page: lazy(() =>
      import('../pages/audit/audit-page.tsx').then(({ AuditPage }) => ({ default: AuditPage })),
    ),
  },
  {
    path: '/security',
    pattern: '/security/*?',
    label: 'Security',
    icon: ShieldCheck,
    key: 'e',
    group: 'run',
    page: lazy(() =>
      import('../pages/security/security-page.tsx').then(({ SecurityPage }) => ({
        default: SecurityPage,
      })),
    ),
  },
  {
    path: '/settings',
    pattern: '/settings/*?',
    label: 'Settings',
    icon: Settings,
    key: ',',
    group: 'run',
    page: lazy(() =>
      import('../pages/settings/settings-page.tsx').then(({ SettingsPage }) => ({
        default: SettingsPage,
      })),
    ),
  },
];

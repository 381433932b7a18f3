import {
  Bot,
  CodeXml,
  FileHeart,
  type LucideIcon,
  PenLine,
  Search,
  ServerCog,
  ShieldCheck,
} from 'lucide-react';

/** Where a new agent begins. Its soul comes from the personality template of that name, and can be edited later. */
export interface Preset {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: LucideIcon;
  readonly role: string;
  readonly template: string;
  readonly skills: readonly string[];
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'assistant',
    label: 'Assistant',
    hint: 'For everything, and careful about it',
    icon: Bot,
    role: 'Personal assistant',
    template: 'default',
    skills: ['files', 'memory', 'schedule'],
  },
  {
    id: 'researcher',
    label: 'Researcher',
    hint: 'Finds out what is true, with sources',
    icon: Search,
    role: 'Researcher',
    template: 'researcher',
    skills: ['browser', 'files', 'memory'],
  },
  {
    id: 'coder',
    label: 'Coder',
    hint: 'Changes programs and runs their tests',
    icon: CodeXml,
    role: 'Software engineer',
    template: 'coder',
    skills: ['terminal', 'files', 'github', 'memory'],
  },
  {
    id: 'writer',
    label: 'Writer',
    hint: 'Drafts, cuts, and offers variants',
    icon: PenLine,
    role: 'Writer and editor',
    template: 'creative',
    skills: ['files', 'memory'],
  },
  {
    id: 'operator',
    label: 'Operator',
    hint: 'Keeps things running, and leaves records',
    icon: ServerCog,
    role: 'Operations engineer',
    template: 'operator',
    skills: ['terminal', 'files', 'memory', 'schedule', 'team'],
  },
  {
    id: 'security',
    label: 'Security',
    hint: 'Looks for weaknesses, within scope',
    icon: ShieldCheck,
    role: 'Security researcher',
    template: 'default-security',
    skills: ['browser', 'files', 'memory'],
  },
];

const OWN = 'template:';

/** One for a personality template of the operator's. It says who the agent is, and nothing of its role and skills. */
export function toPreset(template: string, hint = 'One of your own templates'): Preset {
  const plain = { icon: FileHeart, role: '', skills: [] };
  return { ...plain, id: `${OWN}${template}`, label: template, hint, template };
}

export function getPreset(id: string): Preset {
  if (id.startsWith(OWN)) return toPreset(id.slice(OWN.length));
  const found = PRESETS.find((preset) => preset.id === id) ?? PRESETS[0];
  if (found === undefined) throw new Error('there are no presets');
  return found;
}

import type { CommandEntry } from '../../program/command-entry.ts';

/** Skills: what agents can be taught. */
export const SKILL_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'skills list',
    summary: 'List skills and tools that are written down, and what is released',
    group: 'Skills',
    load: async () => (await import('./skills-list.ts')).skillsList,
  },
  {
    name: 'skills publish',
    summary: 'Publish a skill, stored or in a folder, as a signed release',
    group: 'Skills',
    load: async () => (await import('./skills-publish.ts')).skillsPublish,
  },
  {
    name: 'skills install',
    summary: 'Take over a skill that somebody exported',
    group: 'Skills',
    load: async () => (await import('./skills-install.ts')).skillsInstall,
  },
  {
    name: 'skills verify',
    summary: 'Check releases, or an exported folder, against their signatures',
    group: 'Skills',
    load: async () => (await import('./skills-verify.ts')).skillsVerify,
  },
  {
    name: 'skills export',
    summary: 'Write a released skill into a folder',
    group: 'Skills',
    load: async () => (await import('./skills-export.ts')).skillsExport,
  },
];

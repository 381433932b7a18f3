import { keep, readKept } from '../api/kept.ts';
import { createStore } from '../api/store.ts';

export type Theme = 'system' | 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');

export const theme = createStore<Theme>(toTheme(readKept('theme')));

export function chooseTheme(next: Theme): void {
  keep('theme', next === 'system' ? undefined : next);
  theme.set(next);
  show();
}

dark.addEventListener('change', show);

function show(): void {
  const taste = theme.get();
  const isDark = taste === 'dark' || (taste === 'system' && dark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

function toTheme(kept: string | undefined): Theme {
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

import { keep, readKept } from '../api/kept.ts';
import { createStore } from '../api/store.ts';

export type Theme = 'system' | 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');

export const theme = createStore<Theme>(toTheme(readKept('theme')));

/** What is shown: the taste, or what the system wants where the taste follows it. */
export const shownTheme = createStore<'light' | 'dark'>(toShown());

export function chooseTheme(next: Theme): void {
  keep('theme', next === 'system' ? undefined : next);
  theme.set(next);
  show();
}

dark.addEventListener('change', show);

function show(): void {
  const shown = toShown();
  document.documentElement.dataset['theme'] = shown;
  shownTheme.set(shown);
}

function toShown(): 'light' | 'dark' {
  const taste = theme.get();
  return taste === 'dark' || (taste === 'system' && dark.matches) ? 'dark' : 'light';
}

function toTheme(kept: string | undefined): Theme {
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

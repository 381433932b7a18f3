import { useMemo } from 'react';
import { listTemplates } from '../../../../../src/operations/agents/agents.ts';
import { useRead } from '../../../api/use-operation.ts';
import { type Preset, toPreset } from './presets.ts';

const MAX_HINT_CHARS = 80;

/** Drafts from the templates that lie in the state root. Until they are read, and when they can't be, there are none. */
export function useOwnPresets(): readonly Preset[] {
  const { data } = useRead(listTemplates, {});
  return useMemo(() => {
    const own = data?.templates.filter(({ built_in: isBuiltIn }) => !isBuiltIn) ?? [];
    return own.map(({ name, text }) => toPreset(name, toHint(text)));
  }, [data]);
}

/** Its first words. */
function toHint(text: string): string | undefined {
  const line = text.split('\n').find((one) => /\p{L}/u.test(one));
  const words = line?.replace(/^[#>*\s-]+/, '').trim();
  if (words === undefined || words.length <= MAX_HINT_CHARS) return words;
  return `${words.slice(0, MAX_HINT_CHARS)}…`;
}

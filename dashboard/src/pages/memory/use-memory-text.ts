import { useDraft } from '../../api/use-draft.ts';
import type { MemoryText } from './memory-fields.tsx';

/** What is being said of a memory: it survives a reload. */
export function useMemoryText(place: string, initial: MemoryText) {
  const [content, setContent] = useDraft(place, initial.content);
  const [project, setProject] = useDraft(`${place}.project`, initial.project);
  const [tags, setTags] = useDraft(`${place}.tags`, initial.tags);
  const [priority, setPriority] = useDraft(`${place}.priority`, initial.priority);
  const text: MemoryText = { content, project, tags, priority };
  const change = (part: Partial<MemoryText>) => {
    if (part.content !== undefined) setContent(part.content);
    if (part.project !== undefined) setProject(part.project);
    if (part.tags !== undefined) setTags(part.tags);
    if (part.priority !== undefined) setPriority(part.priority);
  };
  return { text, change, forget: () => change(initial) };
}

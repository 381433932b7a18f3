import { Field, TextArea, TextField } from '../../kit/fields.tsx';
import { ProjectInput } from '../../kit/project-input.tsx';

/** What can be said of a memory, as it is typed. */
export interface MemoryText {
  readonly content: string;
  readonly project: string;
  readonly tags: string;
  readonly priority: string;
}

interface MemoryFieldsProps {
  readonly text: MemoryText;
  readonly onChange: (part: Partial<MemoryText>) => void;
  /** What is pinned has the highest. */
  readonly isPinned?: boolean;
}

const MAX_PRIORITY = 15;
const MAX_CONTENT_CHARS = 100_000;

export function MemoryFields({ text, onChange, isPinned = false }: MemoryFieldsProps) {
  return (
    <>
      <Field label="Text">
        {(ids) => (
          <TextArea
            {...ids}
            required
            rows={5}
            maxLength={MAX_CONTENT_CHARS}
            value={text.content}
            onChange={(event) => onChange({ content: event.target.value })}
          />
        )}
      </Field>
      <Field label="Project">
        {(ids) => (
          <ProjectInput
            {...ids}
            required
            value={text.project}
            onChange={(event) => onChange({ project: event.target.value })}
          />
        )}
      </Field>
      <TextField
        label="Tags"
        hint="Separated by commas."
        value={text.tags}
        onChange={(text) => onChange({ tags: text })}
      />
      <TextField
        label="Priority"
        hint={
          isPinned
            ? 'What is pinned has the highest. Unpin it to change this.'
            : '0 to 15; 5 is usual, and 7 brings it into the feed of its project.'
        }
        type="number"
        required
        min={0}
        max={MAX_PRIORITY}
        step={1}
        disabled={isPinned}
        value={text.priority}
        onChange={(text) => onChange({ priority: text })}
      />
    </>
  );
}

export function toTags(typed: string): string[] {
  const tags = typed.split(',').map((tag) => tag.trim());
  return tags.filter((tag) => tag !== '');
}

import { classNames } from '../../../kit/class-names.ts';
import { Field, TextInput } from '../../../kit/fields.tsx';
import { fromPreset, type StepProps } from './new-agent.ts';
import { PRESETS, type Preset } from './presets.ts';
import { useOwnPresets } from './use-own-presets.ts';

const MAX_NAME_CHARS = 80;
const MAX_ROLE_CHARS = 200;

export function WhoStep({ values, change }: StepProps) {
  const own = useOwnPresets();
  const choose = (preset: Preset) => {
    const isOwn = !PRESETS.includes(preset);
    change({ preset: preset.id, ...(isOwn ? {} : fromPreset(preset)) });
  };
  return (
    <>
      <fieldset className="mb-5">
        <legend className="mb-2 text-sm font-medium">Begin with</legend>
        <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
          {[...PRESETS, ...own].map((preset) => (
            <label
              key={preset.id}
              className={classNames(
                'flex cursor-pointer items-start gap-3 rounded-lg border p-3 focus-within:outline-2 focus-within:outline-accent',
                values.preset === preset.id
                  ? 'border-accent bg-accent-soft'
                  : 'border-line bg-surface hover:bg-sunken',
              )}
            >
              <input
                type="radio"
                name="preset"
                className="sr-only"
                checked={values.preset === preset.id}
                onChange={() => choose(preset)}
              />
              <preset.icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" />
              <span className="min-w-0 break-words">
                <span className="font-medium">{preset.label}</span>
                <span className="block text-sm text-muted">{preset.hint}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Field label="Name" hint="What you call it. Its file name is made of it, and stays.">
        {(ids) => (
          <TextInput
            {...ids}
            required
            maxLength={MAX_NAME_CHARS}
            placeholder="Lince"
            autoComplete="off"
            value={values.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Role" hint="One line; the model is told it first.">
        {(ids) => (
          <TextInput
            {...ids}
            maxLength={MAX_ROLE_CHARS}
            autoComplete="off"
            value={values.role}
            onChange={(event) => change({ role: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

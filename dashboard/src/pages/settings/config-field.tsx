import type { ConfigDescriptionShape } from '../../../../src/operations/config/config-shapes.ts';
import { Button } from '../../kit/button.tsx';
import { Field, type FieldIds, Select, TextArea, TextInput } from '../../kit/fields.tsx';
import type { Change, FieldSchema } from './config-paths.ts';

interface ConfigFieldProps {
  readonly field: ConfigDescriptionShape['fields'][number];
  readonly schema: FieldSchema;
  readonly value: unknown;
  /** What it is to become, when it is to change. */
  readonly change: Change | undefined;
  readonly error: string | undefined;
  readonly onChange: (change: Change | undefined) => void;
}

export function ConfigField({ field, schema, value, change, error, onChange }: ConfigFieldProps) {
  const { path, description, variable, overridden, restart_required, secret } = field;
  const current = change === undefined ? value : change.value;
  const set = (next: unknown) =>
    onChange(JSON.stringify(next) === JSON.stringify(value) ? undefined : { value: next });
  const notes = [
    restart_required ? 'after a restart' : undefined,
    overridden ? `decided by ${variable ?? 'a flag'} now` : undefined,
    field.default === null ? undefined : `default ${JSON.stringify(field.default)}`,
  ].filter((note) => note !== undefined);
  return (
    <div className="px-4 pt-3">
      <Field
        label={path}
        error={error}
        hint={
          <>
            {description}
            {notes.length === 0 ? null : <span className="block">{notes.join(' · ')}</span>}
          </>
        }
      >
        {(ids) =>
          secret ? (
            <p id={ids.id} className="text-sm text-muted">
              A secret: set it under Secrets. It is never shown.
            </p>
          ) : (
            <div className="flex flex-wrap items-start gap-2">
              <ValueInput ids={ids} schema={schema} value={current} onChange={set} />
              {change === undefined ? null : (
                <Button size="small" onClick={() => onChange(undefined)}>
                  Undo
                </Button>
              )}
            </div>
          )
        }
      </Field>
    </div>
  );
}

interface ValueInputProps {
  readonly ids: FieldIds;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** By what the schema says; what has no input of its own is written as JSON. */
function ValueInput({ ids, schema, value, onChange }: ValueInputProps) {
  const types = [schema.type].flat();
  if (schema.enum !== undefined) {
    return (
      <Select
        {...ids}
        value={String(value ?? '')}
        onChange={(event) => onChange(event.target.value)}
        className="max-w-xs"
      >
        {schema.enum.map((one) => (
          <option key={String(one)}>{String(one)}</option>
        ))}
      </Select>
    );
  }
  if (types.includes('boolean')) {
    return (
      <Select
        {...ids}
        value={String(value ?? false)}
        onChange={(event) => onChange(event.target.value === 'true')}
        className="max-w-32"
      >
        <option value="true">on</option>
        <option value="false">off</option>
      </Select>
    );
  }
  if (types.includes('integer') || types.includes('number')) {
    return (
      <TextInput
        {...ids}
        type="number"
        min={schema.minimum}
        max={schema.maximum}
        step={types.includes('integer') ? 1 : 'any'}
        value={value === undefined || value === null ? '' : String(value)}
        onChange={(event) =>
          onChange(event.target.value === '' ? null : Number(event.target.value))
        }
        className="max-w-48"
      />
    );
  }
  if (types.includes('string')) {
    return (
      <TextInput
        {...ids}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.target.value)}
        className="max-w-md"
      />
    );
  }
  return <JsonInput ids={ids} value={value} onChange={onChange} />;
}

function JsonInput({ ids, value, onChange }: Omit<ValueInputProps, 'schema'>) {
  const text = JSON.stringify(value ?? null, null, 2);
  return (
    <TextArea
      {...ids}
      // Only whole JSON is a value: what is being typed stays in the box until then.
      key={text}
      defaultValue={text}
      rows={Math.min(10, text.split('\n').length + 1)}
      spellCheck={false}
      onBlur={(event) => {
        try {
          onChange(JSON.parse(event.target.value));
          event.target.setCustomValidity('');
        } catch {
          event.target.setCustomValidity('must be JSON');
          event.target.reportValidity();
        }
      }}
      className="max-w-xl font-mono text-sm"
    />
  );
}

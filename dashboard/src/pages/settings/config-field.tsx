import type { ConfigDescriptionShape } from '../../../../src/operations/config/config-shapes.ts';
import { Button } from '../../kit/button.tsx';
import { Diff } from '../../kit/diff.tsx';
import { Field, type FieldIds, Select, TextArea, TextInput } from '../../kit/fields.tsx';
import { type Change, type FieldSchema, isConflict, isSame, isWhole } from './config-paths.ts';

interface ConfigFieldProps {
  readonly field: ConfigDescriptionShape['fields'][number];
  readonly schema: FieldSchema;
  readonly value: unknown;
  /** What it is to become, when it is to change. */
  readonly change: Change | undefined;
  readonly error: string | undefined;
  /** Whether the browser remembers what is typed. */
  readonly isKept: boolean;
  readonly onChange: (change: Change | undefined) => void;
}

export function ConfigField(props: ConfigFieldProps) {
  const { field, schema, value, change, error, isKept, onChange } = props;
  const { path, description, variable, overridden, restart_required, secret } = field;
  const base = change === undefined ? (value ?? null) : change.base;
  const set = (next: unknown) => onChange(isSame(next, value) ? undefined : { base, value: next });
  const notes = [
    restart_required ? 'after a restart' : undefined,
    overridden ? `decided by ${variable ?? 'a flag'} now` : undefined,
    field.default === null ? undefined : `default ${JSON.stringify(field.default)}`,
    change === undefined || isKept ? undefined : 'gone with a reload: it may hold a secret',
  ].filter((note) => note !== undefined);
  return (
    <div className="px-4 pt-3">
      <Field
        label={path}
        error={change === undefined || isWhole(change) ? error : 'This is not JSON yet.'}
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
              {hasInput(schema) ? (
                <ValueInput
                  ids={ids}
                  schema={schema}
                  value={change === undefined ? value : change.value}
                  onChange={set}
                />
              ) : (
                <JsonInput
                  ids={ids}
                  text={change?.text ?? toText(change === undefined ? value : change.value)}
                  onType={(text) => onChange({ base, text, ...parse(text) })}
                  onDone={() => {
                    // Nothing but white space differs.
                    if (change && isWhole(change) && isSame(change.value, value))
                      onChange(undefined);
                  }}
                />
              )}
              {change === undefined ? null : (
                <Button size="small" onClick={() => onChange(undefined)}>
                  Undo
                </Button>
              )}
            </div>
          )
        }
      </Field>
      {change !== undefined && isConflict(change, value) ? (
        <Conflict
          path={path}
          theirs={toText(value)}
          mine={change.text ?? toText(change.value)}
          onMine={() => onChange({ ...change, base: value ?? null })}
          onTheirs={() => onChange(undefined)}
        />
      ) : null}
    </div>
  );
}

interface ConflictProps {
  readonly path: string;
  readonly theirs: string;
  readonly mine: string;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

/** What was typed stays until one of them is chosen. */
function Conflict({ path, theirs, mine, onMine, onTheirs }: ConflictProps) {
  return (
    <section
      role="alert"
      aria-label={`${path} was changed elsewhere`}
      className="mb-4 rounded-lg border border-wait bg-wait-soft p-3 text-sm"
    >
      <p className="mb-2">
        It was changed elsewhere meanwhile. − is what is saved now, + is what you typed.
      </p>
      <Diff name={path} before={theirs} after={mine} />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" onClick={onMine}>
          Go on with mine
        </Button>
        <Button size="small" onClick={onTheirs}>
          Take what is saved
        </Button>
      </div>
    </section>
  );
}

interface ValueInputProps {
  readonly ids: FieldIds;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** By what the schema says. */
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
  return (
    <TextInput
      {...ids}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.target.value)}
      className="max-w-md"
    />
  );
}

/** What has none is written as JSON. */
function hasInput({ type, enum: choices }: FieldSchema): boolean {
  const types = [type].flat();
  return choices !== undefined || types.some((one) => one !== undefined && INPUTS.has(one));
}

const INPUTS = new Set(['boolean', 'integer', 'number', 'string']);

interface JsonInputProps {
  readonly ids: FieldIds;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onDone: () => void;
}

function JsonInput({ ids, text, onType, onDone }: JsonInputProps) {
  return (
    <TextArea
      {...ids}
      value={text}
      rows={Math.min(MAX_ROWS, text.split('\n').length + 1)}
      spellCheck={false}
      onChange={(event) => onType(event.target.value)}
      onBlur={onDone}
      className="max-w-xl font-mono text-sm"
    />
  );
}

const MAX_ROWS = 10;

function toText(value: unknown): string {
  return JSON.stringify(value ?? null, null, 2);
}

/** Only whole JSON is a value. */
function parse(text: string): { readonly value?: unknown } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return {};
  }
}

import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw, Save } from 'lucide-react';
import { useState } from 'react';
import {
  changeConfig,
  describeConfig,
  readConfig,
} from '../../../../src/operations/config/config.ts';
import type { ConfigDescriptionShape } from '../../../../src/operations/config/config-shapes.ts';
import { client } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { SearchInput } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';
import { useExactParams } from '../../kit/use-exact-params.ts';
import { ConfigField } from './config-field.tsx';
import {
  type Changes,
  fieldErrorsOf,
  findSchema,
  isConflict,
  isField,
  isKeepable,
  isWhole,
  readPath,
  toPatch,
} from './config-paths.ts';
import { useConfigChanges } from './use-config-changes.ts';

/** A form made of the configuration's own schema. */
export function ConfigForm() {
  const description = useRead(describeConfig, {});
  const config = useRead(readConfig, {});
  return (
    <Loaded query={description} rows={10}>
      {(found) => (
        <Loaded query={config} rows={10}>
          {(document) => <Form description={found} document={document} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface FormProps {
  readonly description: ConfigDescriptionShape;
  readonly document: Readonly<Record<string, unknown>>;
}

function Form({ description: { schema, fields, pending }, document }: FormProps) {
  const [parameters, setParameters] = useExactParams();
  const isKept = (path: string) => isKeepable(findSchema(schema, path), path);
  const { changes, change, forget } = useConfigChanges(isKept);
  const { save, isSaving, error, errors } = useSave(changes, forget);
  const wanted = (parameters.get('q') ?? '').toLowerCase();
  const shown = fields.filter(
    ({ path, description }) =>
      isField(path) &&
      !OF_THE_FILE.has(path) &&
      `${path} ${description}`.toLowerCase().includes(wanted),
  );
  const made = Object.entries(changes);
  const isReady = made.every(
    ([path, one]) => isWhole(one) && !isConflict(one, readPath(document, path)),
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <SearchInput
          label="Find a setting"
          value={parameters.get('q') ?? ''}
          onChange={(q) => setParameters({ q }, { replace: true })}
        />
        {pending.length === 0 ? null : (
          <p className="text-sm text-wait">{`Waits for a restart: ${pending.join(', ')}`}</p>
        )}
      </div>
      {error === null ? null : <ErrorNote error={error} />}
      {groupBySection(shown).map(([section, own]) => (
        <details
          key={section}
          open={wanted !== ''}
          className="mb-2 rounded-lg border border-line bg-surface"
        >
          <summary className="px-4 py-2.5 font-medium">
            {section} <span className="text-sm font-normal text-muted">{own.length}</span>
          </summary>
          <div className="divide-y divide-line border-t border-line">
            {own.map((field) => (
              <ConfigField
                key={field.path}
                field={field}
                schema={findSchema(schema, field.path)}
                value={readPath(document, field.path)}
                change={changes[field.path]}
                error={errors[field.path]}
                isKept={isKept(field.path)}
                onChange={(next) => change(field.path, next)}
              />
            ))}
          </div>
        </details>
      ))}
      {made.length === 0 ? null : (
        <div className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-canvas py-3">
          <span className="mr-auto text-sm text-muted">
            {made.length === 1 ? 'One change' : `${made.length} changes`}
          </span>
          <Button icon={RotateCcw} onClick={forget}>
            Discard
          </Button>
          <Button
            kind="primary"
            icon={Save}
            disabled={!isReady}
            isBusy={isSaving}
            onClick={() => void save()}
          >
            Save
          </Button>
        </div>
      )}
    </>
  );
}

/** Looks first whether somebody else saved meanwhile: what they set is not written over unseen. */
function useSave(changes: Changes, forget: () => void) {
  const queries = useQueryClient();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isLooking, setIsLooking] = useState(false);
  const write = useWrite(changeConfig, {
    changes: ['status', 'tools'],
    onDone({ restart_required, overridden }) {
      forget();
      setErrors({});
      toast(
        overridden.length > 0
          ? `Saved, but an environment variable decides ${overridden.join(', ')}.`
          : restart_required.length > 0
            ? `Saved. ${restart_required.join(', ')} waits for a restart.`
            : 'Saved, and in force.',
      );
    },
  });
  const save = async () => {
    setIsLooking(true);
    try {
      const now = await client.call(readConfig, {});
      if (Object.entries(changes).some(([path, one]) => isConflict(one, readPath(now, path)))) {
        await queries.invalidateQueries({ queryKey: ['config'] });
        return;
      }
      write.mutate(
        { body: toPatch(changes, now) as never },
        { onError: (error) => setErrors(fieldErrorsOf(error)) },
      );
    } catch (error) {
      toastError(error);
    } finally {
      setIsLooking(false);
    }
  };
  return { save, isSaving: isLooking || write.isPending, error: write.error, errors };
}

/** Of the file itself, not of what is set in it. */
const OF_THE_FILE = new Set(['$schema', 'version']);

type Field = ConfigDescriptionShape['fields'][number];

function groupBySection(
  fields: readonly Field[],
): readonly (readonly [string, readonly Field[]])[] {
  const sections = new Map<string, Field[]>();
  for (const field of fields) {
    const [section = ''] = field.path.split('.');
    sections.set(section, [...(sections.get(section) ?? []), field]);
  }
  return [...sections];
}

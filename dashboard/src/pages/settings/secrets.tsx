import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  listSecrets,
  removeSecret,
  storeSecret,
} from '../../../../src/operations/secrets/secrets.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Empty } from '../../kit/empty.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { toast } from '../../kit/toasts.tsx';

/** Values only go in: no page, log or answer ever has one. */
export function Secrets() {
  const secrets = useRead(listSecrets, {});
  const [removed, setRemoved] = useState<string>();
  const remove = useWrite(removeSecret, {
    onDone() {
      toast(`${removed} is gone.`);
      setRemoved(undefined);
    },
  });
  return (
    <>
      <Section title="Kept secrets" hint="Encrypted, and never shown again.">
        <Loaded query={secrets}>
          {({ secrets: all }) =>
            all.length === 0 ? (
              <Empty icon={KeyRound} title="No secret is kept">
                Store the key of a provider below, as <code>provider/openai/api_key</code>.
              </Empty>
            ) : (
              <Table
                label="Secrets"
                rows={all}
                keyOf={({ name }) => name}
                columns={[
                  { label: 'Name', cell: ({ name }) => <code className="break-all">{name}</code> },
                  { label: 'Written', cell: ({ updated_at }) => <Time at={updated_at} /> },
                  {
                    label: '',
                    align: 'right',
                    cell: ({ name }) => (
                      <Button
                        size="small"
                        kind="danger"
                        aria-label={`Remove ${name}`}
                        onClick={() => setRemoved(name)}
                      >
                        Remove
                      </Button>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Section>
      <StoreSecret />
      {removed === undefined ? null : (
        <Confirm
          title={`Remove ${removed}?`}
          action="Remove"
          write={remove}
          onConfirm={() => remove.mutate({ params: { '*': removed } })}
          onClose={() => setRemoved(undefined)}
        >
          What uses it fails until another one is stored. It can't be shown before that either.
        </Confirm>
      )}
    </>
  );
}

function StoreSecret() {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const store = useWrite(storeSecret, {
    changes: ['integrations', 'status'],
    onDone({ stored }) {
      setName('');
      setValue('');
      toast(`${stored} is kept.`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store.mutate({ body: { name: name.trim(), value } });
  };
  return (
    <Section title="Store a secret" hint="One that is there already is replaced.">
      <form onSubmit={submit} className="max-w-md">
        {store.error === null ? null : <ErrorNote error={store.error} />}
        <TextField
          label="Name"
          hint="provider/anthropic/api_key, for example."
          required
          value={name}
          onChange={setName}
        />
        <TextField
          label="Value"
          type="password"
          autoComplete="off"
          required
          value={value}
          onChange={setValue}
        />
        <Button type="submit" kind="primary" isBusy={store.isPending}>
          Store
        </Button>
      </form>
    </Section>
  );
}

import { useState } from 'react';
import type { SignInListShape } from '../../../../src/operations/sign-ins/sign-in-shapes.ts';
import {
  endOtherSignIns,
  endSignIn,
  listSignIns,
} from '../../../../src/operations/sign-ins/sign-ins.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';
import { describeBrowser } from './describe-browser.ts';

type SignIn = SignInListShape['sign_ins'][number];

const COLUMNS: readonly Column<SignIn>[] = [
  {
    label: 'Browser',
    cell: ({ user_agent, current }) => (
      <span title={user_agent} className="inline-flex flex-wrap items-center gap-2">
        {describeBrowser(user_agent)}
        {current ? <StateBadge state="ok">this one</StateBadge> : null}
      </span>
    ),
  },
  { label: 'From', cell: ({ address }) => address, isExtra: true },
  { label: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
  { label: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} />, isExtra: true },
  {
    label: '',
    align: 'right',
    cell: (signIn) => (signIn.current ? null : <EndButton signIn={signIn} />),
  },
];

export function SignIns() {
  const list = useRead(listSignIns, {});
  const [isAsking, setIsAsking] = useState(false);
  const endOthers = useWrite(endOtherSignIns, {
    onDone({ ended }) {
      setIsAsking(false);
      toast(ended === 1 ? 'One browser was signed out.' : `${ended} browsers were signed out.`);
    },
  });
  return (
    <Section
      title="Signed in"
      hint="Browsers that may use this dashboard. Signing one out ends its open pages at once."
      actions={<Button onClick={() => setIsAsking(true)}>Sign out all others</Button>}
    >
      <Loaded query={list}>
        {({ sign_ins }) => (
          <Table
            label="Sign-ins"
            columns={COLUMNS}
            rows={[...sign_ins].reverse()}
            keyOf={({ sign_in_id }) => sign_in_id}
          />
        )}
      </Loaded>
      {isAsking ? (
        <Confirm
          title="Sign out all other browsers?"
          action="Sign out"
          write={endOthers}
          onConfirm={() => endOthers.mutate({})}
          onClose={() => setIsAsking(false)}
        >
          Each needs a new link, or the token, to come back.
        </Confirm>
      ) : null}
    </Section>
  );
}

function EndButton({ signIn: { sign_in_id, user_agent } }: { readonly signIn: SignIn }) {
  const end = useWrite(endSignIn);
  return (
    <Button
      size="small"
      isBusy={end.isPending}
      aria-label={`Sign out ${describeBrowser(user_agent)}`}
      onClick={() => end.mutate({ params: { sign_in_id } }, { onError: toastError })}
    >
      Sign out
    </Button>
  );
}

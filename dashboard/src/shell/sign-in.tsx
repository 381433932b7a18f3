import { type FormEvent, useState } from 'react';
import { signIn } from '../api/session.ts';
import { session } from '../api/session-state.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { TextField } from '../kit/fields.tsx';
import { useTitle } from '../kit/page.tsx';

/** The first thing that somebody sees who is not signed in. */
export function SignInPage() {
  useTitle('Sign in');
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <img src="/dashboard/icon.svg" alt="" className="mb-4 size-10" />
        <h1 className="mb-1 text-xl font-semibold tracking-tight">Sign in to Pincer</h1>
        <p className="mb-5 text-muted">
          Run <code className="text-ink">claw dashboard</code> on the machine of the server: it
          opens this page signed in. Or paste the token.
        </p>
        <SignInForm />
      </div>
    </main>
  );
}

/** In front of a page whose sign-in ended: the page, and what was typed on it, stays as it is. */
export function SignInAgain() {
  return (
    <Dialog title="Sign in again" onClose={() => {}} isFirm>
      <p className="mb-4 text-muted">
        Your session ended. What you typed is kept. Run{' '}
        <code className="text-ink">claw dashboard</code>, or paste the token.
      </p>
      <SignInForm />
    </Dialog>
  );
}

function SignInForm() {
  const [token, setToken] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const { problem } = useStore(session);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    await signIn({ token: token.trim() });
    setIsBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextField
        label="Token"
        error={problem}
        hint={
          <>
            The value of <code>API_BEARER_TOKEN</code>, or of the file that the server names when it
            starts. No browser keeps it.
          </>
        }
        type="password"
        autoComplete="current-password"
        required
        value={token}
        onChange={setToken}
      />
      <Button type="submit" kind="primary" isBusy={isBusy} className="w-full">
        Sign in
      </Button>
    </form>
  );
}

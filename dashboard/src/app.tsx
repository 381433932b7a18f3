import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useEffect } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { RuntimeError } from '../../src/core/errors.ts';
import { startLive } from './api/live.ts';
import { resumeOutbox } from './api/resume-outbox.ts';
import { resumeSession } from './api/session.ts';
import { session } from './api/session-state.ts';
import { useStore } from './api/store.ts';
import { ErrorNote } from './kit/error-note.tsx';
import { Skeleton } from './kit/loaded.tsx';
import { Page } from './kit/page.tsx';
import { useShortcut } from './kit/shortcuts.ts';
import { Toasts, toastError } from './kit/toasts.tsx';
import { Layout } from './shell/layout.tsx';
import { PageNotLoaded } from './shell/opened.ts';
import { Palette } from './shell/palette.tsx';
import { ROUTES } from './shell/routes.ts';
import { ShortcutHelp } from './shell/shortcut-help.tsx';
import { SignInAgain, SignInPage } from './shell/sign-in.tsx';

const MAX_RETRIES = 2;

const queries = new QueryClient({
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      // What is looked at is asked for, and what was known is shown until the answer is there.
      staleTime: 0,
      gcTime: 5 * 60_000,
      // A refusal stays one; only what may pass is asked again.
      retry: (failures, error) =>
        failures < MAX_RETRIES && !(error instanceof RuntimeError && !error.retryable),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

export function App() {
  const { state } = useStore(session);
  useEffect(() => {
    // Whoever signs in next begins with what the server says, and not with what somebody else was shown.
    if (state === 'out') queries.clear();
  }, [state]);
  if (state === 'unknown') return null;
  if (state === 'out') return <SignInPage />;
  return (
    <QueryClientProvider client={queries}>
      <Router base="/dashboard">
        <SignedIn />
        {state === 'ended' ? <SignInAgain /> : null}
      </Router>
      <Toasts />
    </QueryClientProvider>
  );
}

function SignedIn() {
  const { state } = useStore(session);
  const [path] = useLocation();
  useEffect(() => {
    if (state !== 'in') return;
    // Everything that failed for want of a sign-in is asked again.
    void queries.invalidateQueries();
    // Code that did not come is asked for when somebody comes back; what is kept stays kept.
    resumeOutbox().catch(() => {});
    return startLive(queries);
  }, [state]);
  return (
    <Layout>
      <Suspense fallback={<Waiting />}>
        <Switch>
          {ROUTES.map(({ pattern, page: Shown }) => (
            <Route key={pattern} path={pattern}>
              <PageBoundary key={pattern} path={path}>
                <Shown />
              </PageBoundary>
            </Route>
          ))}
          <Route>
            <Page title="There is no such page">
              Its address may be mistyped; the menu leads to all there are.
            </Page>
          </Route>
        </Switch>
      </Suspense>
      <PageShortcuts />
      <Palette />
      <ShortcutHelp />
    </Layout>
  );
}

function PageShortcuts() {
  const [, navigate] = useLocation();
  useShortcut('/', 'Search on this page', () => {
    document.querySelector<HTMLInputElement>('[data-search]')?.focus();
  });
  return (
    <>
      {ROUTES.map(({ path, label, key }) => (
        <GoTo
          key={path}
          keys={`g ${key}`}
          label={`Go to ${label}`}
          onPress={() => navigate(path)}
        />
      ))}
    </>
  );
}

interface GoToProps {
  readonly keys: string;
  readonly label: string;
  readonly onPress: () => void;
}

function GoTo({ keys, label, onPress }: GoToProps) {
  useShortcut(keys, label, onPress);
  return null;
}

function Waiting() {
  return (
    <div className="mx-auto max-w-6xl p-6">
      <Skeleton rows={6} />
    </div>
  );
}

interface BoundaryProps {
  readonly path: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly error?: unknown;
}

/** A page that breaks does not take the others with it. */
class PageBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: BoundaryProps) {
    // Another run, another chat: what broke was the one before.
    if (before.path !== this.props.path && 'error' in this.state)
      this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const isMissing = error instanceof PageNotLoaded;
    return (
      <Page title={isMissing ? 'This page did not come' : 'This page broke'}>
        <ErrorNote error={error} onRetry={() => void reload()} />
        {isMissing ? (
          <p className="text-muted">
            The server may be gone, or have become another version, which has other files. What you
            typed is kept.
          </p>
        ) : null}
      </Page>
    );
  }
}

/** A browser would show a page of its own when nobody answers, and nothing would lead back from there. */
async function reload(): Promise<void> {
  if (await resumeSession()) location.reload();
  else toastError(new Error('The server does not answer. Try again when it is back.'));
}

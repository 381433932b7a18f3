import { LogOut, Menu as MenuIcon, Moon, Search, Sun, SunMoon, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { IconButton } from '../kit/button.tsx';
import { classNames } from '../kit/class-names.ts';
import { chooseTheme, type Theme, theme } from '../kit/theme.ts';
import { toastError } from '../kit/toasts.tsx';
import { Banner } from './banner.tsx';
import { NavBadge } from './nav-badge.tsx';
import { ROUTES, type Route } from './routes.ts';
import { Key } from './shortcut-help.tsx';

/** The frame around every page: where one can go, and whether what is shown is true. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on every other page
  useEffect(() => {
    setIsOpen(false);
    // A reader hears the new page, not the link that led to it.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [location.split('/')[1]]);
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-3"
      >
        Skip to the page
      </a>
      <header className="flex items-center justify-between border-b border-line bg-surface px-3 py-2 md:hidden">
        <Brand />
        <IconButton
          label={isOpen ? 'Close the menu' : 'Open the menu'}
          icon={isOpen ? X : MenuIcon}
          aria-expanded={isOpen}
          aria-controls="nav"
          onClick={() => setIsOpen(!isOpen)}
        />
      </header>
      <nav
        id="nav"
        aria-label="Pages"
        className={classNames(
          'w-full shrink-0 flex-col overflow-y-auto border-r border-line bg-surface md:flex md:w-56',
          isOpen ? 'flex' : 'hidden',
        )}
      >
        <div className="hidden px-4 pt-4 pb-2 md:block">
          <Brand />
        </div>
        <PaletteButton />
        <NavGroup label="Work" group="work" current={location} />
        <NavGroup label="Know" group="know" current={location} />
        <NavGroup label="Operate" group="run" current={location} />
        <Tastes />
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Banner />
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="min-h-0 flex-1 overflow-y-auto outline-none"
        >
          {children}
        </main>
      </div>
    </div>
  );
}

function Brand() {
  return (
    <Link href="/" className="flex items-center gap-2 text-lg font-semibold tracking-tight">
      <img src="/dashboard/icon.svg" alt="" className="size-6" />
      Pincer
    </Link>
  );
}

/** Also for hands: not every device has a Ctrl key. */
function PaletteButton() {
  return (
    <button
      type="button"
      onClick={() => dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))}
      className="mx-3 my-2 flex h-9 items-center gap-2 rounded-md border border-line bg-canvas px-2.5 text-sm text-muted hover:text-ink"
    >
      <Search aria-hidden className="size-4" />
      <span className="flex-1 text-left">Search</span>
      <Key>mod+k</Key>
    </button>
  );
}

interface NavGroupProps {
  readonly label: string;
  readonly group: Route['group'];
  readonly current: string;
}

function NavGroup({ label, group, current }: NavGroupProps) {
  return (
    <div className="px-2 py-2">
      <div className="px-2 pb-1 text-xs font-medium text-muted">{label}</div>
      <ul>
        {ROUTES.filter((route) => route.group === group).map(
          ({ path, label: text, icon: Shape }) => {
            const isCurrent = path === '/' ? current === '/' : current.startsWith(path);
            return (
              <li key={path}>
                <Link
                  href={path}
                  aria-current={isCurrent ? 'page' : undefined}
                  className={classNames(
                    'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm',
                    isCurrent
                      ? 'bg-accent-soft font-medium text-accent-ink'
                      : 'text-ink hover:bg-sunken',
                  )}
                >
                  <Shape aria-hidden className="size-4 shrink-0" />
                  <span className="flex-1">{text}</span>
                  <NavBadge path={path} />
                </Link>
              </li>
            );
          },
        )}
      </ul>
    </div>
  );
}

const NEXT_THEME: Readonly<Record<Theme, Theme>> = {
  system: 'light',
  light: 'dark',
  dark: 'system',
};
const THEME_ICONS = { system: SunMoon, light: Sun, dark: Moon } as const;

function Tastes() {
  const current = useStore(theme);
  return (
    <div className="mt-auto flex items-center gap-1 border-t border-line px-3 py-2">
      <IconButton
        label={`Theme: ${current}. Change to ${NEXT_THEME[current]}`}
        icon={THEME_ICONS[current]}
        onClick={() => chooseTheme(NEXT_THEME[current])}
      />
      <IconButton label="Sign out" icon={LogOut} onClick={() => void signOut().catch(toastError)} />
      <span className="ml-auto text-xs text-muted">{__PINCER_VERSION__}</span>
    </div>
  );
}

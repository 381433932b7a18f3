import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from './class-names.ts';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

const BASE =
  'inline-flex items-center justify-center gap-1.5 rounded-md text-sm font-medium whitespace-nowrap transition-colors ' +
  'disabled:opacity-55 disabled:cursor-not-allowed select-none';

const KINDS: Readonly<Record<Kind, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-ink dark:hover:bg-accent-ink',
  plain: 'border border-line bg-surface text-ink hover:bg-sunken',
  quiet: 'text-muted hover:bg-sunken hover:text-ink',
  danger: 'border border-bad text-bad bg-surface hover:bg-bad-soft',
};

const SIZES = {
  small: 'h-7 px-2',
  normal: 'h-9 px-3',
  icon: 'h-9 w-9',
  smallIcon: 'h-7 w-7',
} as const;

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly kind?: Kind;
  readonly size?: 'small' | 'normal';
  readonly icon?: LucideIcon;
  /** Something is under way: it can't be pressed again. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export function Button(props: ButtonProps) {
  const {
    kind = 'plain',
    size = 'normal',
    icon,
    isBusy = false,
    children,
    className,
    ...rest
  } = props;
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled === true || isBusy}
      className={classNames(BASE, KINDS[kind], SIZES[size], className)}
    >
      {isBusy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : <Icon of={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** What it does: read aloud, and shown on hover. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly kind?: Kind;
  readonly size?: 'icon' | 'smallIcon';
}

export function IconButton(props: IconButtonProps) {
  const { label, icon, kind = 'quiet', size = 'icon', className, ...rest } = props;
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classNames(BASE, KINDS[kind], SIZES[size], className)}
    >
      <Icon of={icon} />
    </button>
  );
}

interface LinkButtonProps {
  readonly to: string;
  readonly kind?: Kind;
  readonly icon?: LucideIcon;
  readonly size?: 'small' | 'normal';
  readonly children: ReactNode;
}

export function LinkButton({
  to,
  kind = 'plain',
  icon,
  size = 'normal',
  children,
}: LinkButtonProps) {
  return (
    <Link href={to} className={classNames(BASE, KINDS[kind], SIZES[size])}>
      <Icon of={icon} />
      {children}
    </Link>
  );
}

function Icon({ of: Shape }: { readonly of: LucideIcon | undefined }) {
  return Shape === undefined ? null : <Shape aria-hidden className="size-4 shrink-0" />;
}

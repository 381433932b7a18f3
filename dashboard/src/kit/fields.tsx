import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

const BOX =
  'w-full rounded-md border border-line-strong/60 bg-surface px-2.5 text-base text-ink placeholder:text-muted ' +
  'disabled:opacity-60 aria-invalid:border-bad';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Gets what ties the input to its label and its messages. */
  readonly children: (ids: FieldIds) => ReactNode;
}

export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const isDescribed = hint !== undefined || error !== undefined;
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': isDescribed ? `${id}-note` : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {isDescribed ? (
        <p
          id={`${id}-note`}
          className={classNames('mt-1 text-sm', error === undefined ? 'text-muted' : 'text-bad')}
        >
          {error ?? hint}
        </p>
      ) : null}
    </div>
  );
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'children' | 'onChange'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A line of text with its label. */
export function TextField({ label, hint, error, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <TextInput {...rest} {...ids} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={classNames(BOX, 'h-9', className)} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={classNames(BOX, 'py-2', className)} />;
}

export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <select {...rest} className={classNames(BOX, 'h-9', className)}>
      {children}
    </select>
  );
}

interface CheckProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: string;
  readonly hint?: string;
}

export function Check({ label, hint, ...rest }: CheckProps) {
  return (
    <label className="flex items-start gap-2 py-1">
      <input type="checkbox" {...rest} className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span>
        {label}
        {hint === undefined ? null : <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** For what takes effect at once. */
export function Switch({ label, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => onChange(!isOn)}
      className={classNames(
        'relative h-5 w-9 shrink-0 rounded-full border border-line-strong transition-colors disabled:opacity-50',
        isOn ? 'bg-accent' : 'bg-sunken',
      )}
    >
      <span
        className={classNames(
          'absolute top-[2px] left-[2px] size-3.5 rounded-full border border-line-strong bg-surface transition-transform',
          isOn && 'translate-x-4',
        )}
      />
    </button>
  );
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** `/` leads here, on every page that has one. */
export function SearchInput({ label, value, onChange }: SearchProps) {
  return (
    <TextInput
      type="search"
      data-search=""
      aria-label={label}
      placeholder={`${label}…`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="max-w-sm"
    />
  );
}

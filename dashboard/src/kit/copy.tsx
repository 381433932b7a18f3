import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';
import { toast } from './toasts.tsx';

const SHOWN_MS = 1_500;

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [isDone, setIsDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsDone(true);
      setTimeout(() => setIsDone(false), SHOWN_MS);
    } catch {
      toast('The browser does not let this page copy. Select the text and copy it by hand.', 'bad');
    }
  };
  return (
    <IconButton
      label={isDone ? 'Copied' : label}
      icon={isDone ? Check : Copy}
      size="smallIcon"
      onClick={() => void copy()}
    />
  );
}

/** An id as people need it: short to look at, whole to copy. */
export function Id({ value, chars = 14 }: { readonly value: string; readonly chars?: number }) {
  const shown = value.length > chars + 2 ? `${value.slice(0, chars)}…` : value;
  return (
    <span className="inline-flex items-center gap-0.5">
      <code title={value} className="text-sm">
        {shown}
      </code>
      <CopyButton text={value} label={`Copy ${value}`} />
    </span>
  );
}

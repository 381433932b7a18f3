import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';
import { toast } from './toasts.tsx';

const SHOWN_MS = 1_500;

/** Whether it worked. Browsers let pages copy only where they trust the connection: on this machine and over https. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast('The browser does not let this page copy. Select the text and copy it by hand.', 'bad');
    return false;
  }
}

/** For what has no button of its own that could say so. */
export async function copyAndTell(text: string, what = 'It'): Promise<void> {
  if (await copyText(text)) toast(`${what} is copied.`);
}

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [isDone, setIsDone] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setIsDone(true);
    setTimeout(() => setIsDone(false), SHOWN_MS);
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

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** What to do next. */
  readonly children?: ReactNode;
}

export function Empty({ icon: Shape, title, children }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line px-6 py-10 text-center">
      <Shape aria-hidden className="size-6 text-muted" />
      <p className="font-medium">{title}</p>
      <div className="flex max-w-md flex-col items-center gap-3 text-sm text-muted">{children}</div>
    </div>
  );
}

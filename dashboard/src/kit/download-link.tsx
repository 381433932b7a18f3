import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { type AnyInput, encodeRequest } from '../../../src/operations/client.ts';
import type { Declaration } from '../../../src/operations/operation.ts';

interface DownloadLinkProps {
  readonly operation: Declaration;
  readonly input: AnyInput;
  /** Of the file. Absent: as the server or the address says. */
  readonly name?: string;
  readonly children: ReactNode;
}

/** A file as the server sends it: the browser stores it while it comes. */
export function DownloadLink({ operation, input, name, children }: DownloadLinkProps) {
  return (
    <a
      href={encodeRequest(operation, input).path}
      download={name ?? true}
      className="inline-flex h-9 items-center gap-1.5 rounded-md border border-line bg-surface px-3 text-sm font-medium hover:bg-sunken"
    >
      <Download aria-hidden className="size-4" />
      {children}
    </a>
  );
}

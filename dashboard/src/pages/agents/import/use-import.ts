import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ImportReportShape } from '../../../../../src/operations/agents/parcel-shapes.ts';
import { importAgent } from '../../../../../src/operations/agents/parcels.ts';
import { client } from '../../../api/client.ts';
import { readBytes } from '../../../api/read-bytes.ts';
import { type ImportChoices, NO_CHOICES, toInput } from './import-choices.ts';

export interface Import {
  readonly report: ImportReportShape | undefined;
  readonly error: unknown;
  readonly progress: ImportProgress | undefined;
  readonly choices: ImportChoices;
  look(file: File): void;
  /** Looks again, with the choice. */
  choose(part: Partial<ImportChoices>): void;
  /** Undefined when it was refused. */
  store(): Promise<ImportReportShape | undefined>;
}

interface ImportProgress {
  readonly sentBytes: number;
  readonly isStoring: boolean;
}

export function useImport(file: File | undefined): Import {
  const queries = useQueryClient();
  const [report, setReport] = useState<ImportReportShape>();
  const [error, setError] = useState<unknown>();
  const [progress, setProgress] = useState<ImportProgress>();
  const [choices, setChoices] = useState(NO_CHOICES);
  // Of two that are under way only the later one is shown.
  const latest = useRef(0);

  async function ask(of: File, by: ImportChoices, isStoring: boolean) {
    latest.current += 1;
    const own = latest.current;
    const isLatest = () => own === latest.current;
    setError(undefined);
    setProgress({ sentBytes: 0, isStoring });
    const tell = (sentBytes: number) => isLatest() && setProgress({ sentBytes, isStoring });
    try {
      const input = toInput(by, { isPreview: !isStoring });
      const answer = await client.call(importAgent, { ...input, body: countBytes(of, tell) });
      if (isLatest()) setReport(answer);
      return answer;
    } catch (thrown) {
      if (isLatest()) setError(thrown);
      return undefined;
    } finally {
      if (isLatest()) setProgress(undefined);
    }
  }

  return {
    report,
    error,
    progress,
    choices,
    look(of) {
      setReport(undefined);
      setChoices(NO_CHOICES);
      void ask(of, NO_CHOICES, false);
    },
    choose(part) {
      const next = { ...choices, ...part };
      setChoices(next);
      if (file !== undefined) void ask(file, next, false);
    },
    async store() {
      if (file === undefined) return undefined;
      const done = await ask(file, choices, true);
      await queries.invalidateQueries();
      return done;
    },
  };
}

async function* countBytes(file: File, tell: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const part of readBytes(new Response(file.stream()))) {
    count += part.length;
    tell(count);
    yield part;
  }
}

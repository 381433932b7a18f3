import { useRef, useState } from 'react';
import { RuntimeError } from '../../../../../src/core/errors.ts';
import { toastError } from '../../../kit/toasts.tsx';

interface TellingDeps {
  readonly text: string;
  readonly onTell: ((text: string, key: string) => Promise<void>) | undefined;
  readonly onTold: () => void;
}

interface Telling {
  /** Undefined when there is nobody to tell. */
  readonly tell: (() => void) | undefined;
  readonly isTelling: boolean;
  /** Whoever was to read it had ended; what was written is kept. */
  readonly isLate: boolean;
}

/** Tells what is written to the run that goes on. It stays written until the server has it. */
export function useTelling({ text, onTell, onTold }: TellingDeps): Telling {
  const [isTelling, setIsTelling] = useState(false);
  const [late, setLate] = useState<string>();
  const sent = useRef({ text: '', key: '' });
  const latest = useRef(text);
  latest.current = text;

  const tell = async (onTell: NonNullable<TellingDeps['onTell']>) => {
    if (text.trim() === '' || isTelling) return;
    // A try whose answer got lost may have arrived: the same words again are the same message.
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    setIsTelling(true);
    try {
      await onTell(text, sent.current.key);
      sent.current = { text: '', key: '' };
      // What was written meanwhile is something else, and stays.
      if (latest.current === text) onTold();
    } catch (error) {
      if (error instanceof RuntimeError && error.code === 'conflict') setLate(text);
      else toastError(error);
    } finally {
      setIsTelling(false);
    }
  };

  return {
    tell: onTell && (() => void tell(onTell)),
    isTelling,
    isLate: late !== undefined && late === text,
  };
}

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
  /** What is written now is what is on its way: sent as well, it would be said twice. */
  readonly isBeingTold: boolean;
  /** Whoever was to read it had ended; what was written is kept. */
  readonly isLate: boolean;
}

/** Tells what is written to the run that goes on. It stays written until the server has it. */
export function useTelling({ text, onTell, onTold }: TellingDeps): Telling {
  const [underWay, setUnderWay] = useState<string>();
  const isTelling = underWay !== undefined;
  const [late, setLate] = useState<string>();
  const sent = useRef({ text: '', key: '' });
  const latest = useRef(text);
  latest.current = text;

  const tell = async (onTell: NonNullable<TellingDeps['onTell']>) => {
    if (text.trim() === '' || isTelling) return;
    // A try whose answer got lost may have arrived: the same words again are the same message.
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    setUnderWay(text);
    try {
      await onTell(text, sent.current.key);
      sent.current = { text: '', key: '' };
      // What was written meanwhile is something else, and stays.
      if (latest.current === text) onTold();
    } catch (error) {
      if (error instanceof RuntimeError && error.code === 'conflict') setLate(text);
      else toastError(error);
    } finally {
      setUnderWay(undefined);
    }
  };

  return {
    tell: onTell && (() => void tell(onTell)),
    isTelling,
    isBeingTold: underWay === text,
    isLate: late !== undefined && late === text,
  };
}

import { useEffect, useRef, useState } from 'react';

const SETTLED_MS = 300;

/** Text for a field, told on when somebody stops typing. Follows the value when it changes elsewhere, by Back. */
export function useTyped(
  value: string,
  onSettled: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const latest = useRef(onSettled);
  latest.current = onSettled;
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === told.current) return;
    const timer = setTimeout(() => {
      told.current = text;
      latest.current(text);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

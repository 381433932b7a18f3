import type { Encoding } from './page-files.ts';

/** The first of `offered` that the caller takes, as its Accept-Encoding says; undefined: as it is. */
export function chooseEncoding(
  header: string | undefined,
  offered: readonly Encoding[],
): Encoding | undefined {
  const wanted = new Map(
    (header ?? '').split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((one) => one.startsWith('q='))?.slice(2);
      return [name, quality === undefined ? 1 : Number(quality)] as const;
    }),
  );
  return offered.find((encoding) => (wanted.get(encoding) ?? 0) > 0);
}

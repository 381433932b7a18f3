import { classNames } from '../../../kit/class-names.ts';
import { HATCHED } from './track.tsx';

const KINDS = [
  ['Model thinks', 'border-accent bg-accent-soft'],
  ['Model answers', 'border-accent bg-[color-mix(in_srgb,var(--accent)_35%,var(--surface))]'],
  ['Tool', 'border-busy bg-busy-soft'],
  ['Failed', 'border-bad bg-bad-soft'],
  ['Waits', `border-wait bg-wait-soft text-wait ${HATCHED}`],
  ['Nobody there', `border-dashed border-off bg-off-soft text-off ${HATCHED}`],
] as const;

export function Legend() {
  return (
    <ul
      aria-label="What the bars mean"
      className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted"
    >
      {KINDS.map(([word, look]) => (
        <li key={word} className="flex items-center gap-1.5">
          <span aria-hidden className={classNames('h-3 w-5 rounded-sm border', look)} />
          {word}
        </li>
      ))}
    </ul>
  );
}

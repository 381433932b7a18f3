import type { RunTabProps } from '../detail/run-page.tsx';
export function BundleTab(_props: RunTabProps) {
  return null;
}

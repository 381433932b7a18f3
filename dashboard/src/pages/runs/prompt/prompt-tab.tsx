import type { RunTabProps } from '../detail/run-page.tsx';
export function PromptTab(_props: RunTabProps) {
  return null;
}

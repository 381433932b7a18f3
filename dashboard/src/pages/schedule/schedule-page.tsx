import { Page } from '../../kit/page.tsx';

export function SchedulePage() {
  return <Page title="Schedule">{null}</Page>;
}

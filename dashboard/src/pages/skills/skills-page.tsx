import { Page } from '../../kit/page.tsx';

export function SkillsPage() {
  return <Page title="Skills">{null}</Page>;
}

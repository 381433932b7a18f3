import { Page } from '../../kit/page.tsx';

export function ProjectsPage() {
  return <Page title="Projects">{null}</Page>;
}

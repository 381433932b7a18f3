import { useExactPath } from '../../kit/use-exact-params.ts';
import { ProjectDetail } from './project-detail.tsx';
import { ProjectList } from './project-list.tsx';

/** `/projects`, `/projects/proj_001`. A name may hold anything, slashes and percent signs too. */
export function ProjectsPage() {
  const [, id = ''] = useExactPath();
  return id === '' ? <ProjectList /> : <ProjectDetail key={id} id={id} />;
}

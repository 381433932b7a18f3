import { useLocation } from 'wouter';
import { ProjectDetail } from './project-detail.tsx';
import { ProjectList } from './project-list.tsx';

export function ProjectsPage() {
  // Rendered again whenever the address changes.
  useLocation();
  const id = readId(location.pathname);
  return id === undefined ? <ProjectList /> : <ProjectDetail key={id} id={id} />;
}

/** From the address itself: a name may hold anything, slashes and percent signs too, and the router decodes a part of it. */
function readId(path: string): string | undefined {
  const [, written] = /\/projects\/([^/]+)/.exec(path) ?? [];
  if (written === undefined) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    // Typed by hand, and no encoding of anything.
    return written;
  }
}

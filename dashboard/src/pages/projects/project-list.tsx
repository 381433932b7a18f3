import { FolderKanban } from 'lucide-react';
import { Link } from 'wouter';
import type { ProjectListShape } from '../../../../src/operations/projects/project-shapes.ts';
import { listProjects } from '../../../../src/operations/projects/projects.ts';
import { usePages } from '../../api/use-pages.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Empty } from '../../kit/empty.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { formatCount } from '../../kit/format.ts';
import { Skeleton } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { OverallBadge } from './overall-badge.tsx';

type Project = ProjectListShape['projects'][number];

const PAGE = 100;

const COLUMNS: readonly Column<Project>[] = [
  {
    label: 'Project',
    cell: ({ project_id: id }) => (
      <Link
        href={`/projects/${encodeURIComponent(id)}`}
        className="font-medium break-words text-accent-ink underline-offset-2 hover:underline"
      >
        {id}
      </Link>
    ),
  },
  { label: 'Status', cell: ({ overall_status }) => <OverallBadge status={overall_status} /> },
  { label: 'To do', align: 'right', cell: ({ tasks }) => formatCount(tasks.todo) },
  { label: 'Doing', align: 'right', cell: ({ tasks }) => formatCount(tasks.doing) },
  { label: 'Done', align: 'right', cell: ({ tasks }) => formatCount(tasks.done) },
  { label: 'Failed', align: 'right', cell: ({ failed }) => <Failed count={failed} /> },
  { label: 'Cancelled', align: 'right', isExtra: true, cell: (one) => formatCount(one.cancelled) },
  { label: 'Facts', align: 'right', isExtra: true, cell: ({ facts }) => formatCount(facts) },
  { label: 'Last activity', isExtra: true, cell: (one) => <Time at={one.last_activity_at} /> },
];

const projectsOf = (page: ProjectListShape) => page.projects;

export function ProjectList() {
  const projects = usePages(listProjects, { query: { limit: PAGE } }, projectsOf);
  const { items, isLoaded, error, hasMore, isLoadingMore, loadMore, reload } = projects;
  return (
    <Page
      title="Projects"
      lead="A project is a name on runs, memories, facts and hand-offs. Naming one makes it."
    >
      {error === null ? null : <ErrorNote error={error} onRetry={reload} isStale={isLoaded} />}
      {isLoaded || error !== null ? null : <Skeleton />}
      {isLoaded && items.length === 0 ? <NoProjects /> : null}
      {items.length === 0 ? null : (
        <Table label="Projects" columns={COLUMNS} rows={items} keyOf={(one) => one.project_id} />
      )}
      {hasMore ? (
        <div className="mt-3 text-center">
          <Button isBusy={isLoadingMore} onClick={loadMore}>
            Show more
          </Button>
        </div>
      ) : null}
    </Page>
  );
}

function Failed({ count }: { readonly count: number }) {
  return <span className={count > 0 ? 'text-bad' : undefined}>{formatCount(count)}</span>;
}

function NoProjects() {
  return (
    <Empty icon={FolderKanban} title="No projects yet">
      <p>
        Name one when you start work: <code>claw ask --project garden …</code>, or{' '}
        <code>project_id</code> in a request. Then its runs, costs and what was learned are here.
      </p>
      <LinkButton to="/knowledge/facts">Put a first fact on record</LinkButton>
    </Empty>
  );
}

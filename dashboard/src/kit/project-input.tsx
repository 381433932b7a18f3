import { type ComponentProps, useId } from 'react';
import { listProjects } from '../../../src/operations/projects/projects.ts';
import { useRead } from '../api/use-operation.ts';
import { TextInput } from './fields.tsx';

const MAX_PROJECTS = 200;

export function useProjects() {
  return useRead(listProjects, { query: { limit: MAX_PROJECTS } });
}

/** Any name is a project; those that are known are offered. */
export function ProjectInput(props: ComponentProps<'input'>) {
  const known = useId();
  const projects = useProjects().data?.projects ?? [];
  return (
    <>
      <TextInput {...props} list={known} />
      <datalist id={known}>
        {projects.map(({ project_id }) => (
          <option key={project_id} value={project_id} />
        ))}
      </datalist>
    </>
  );
}

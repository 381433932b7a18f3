import { readFile } from 'node:fs/promises';
import { buildOpenApi } from '../../src/surfaces/http/openapi/build-openapi.ts';
import type { Surface, SurfaceKit } from '../../src/surfaces/http/surface.ts';

const INFO = { title: 'Pincer', version: '0', description: 'A test.' };

/** A document is made of routes and their schemas; nothing is served, and nothing behind the routes is asked. */
export async function describeOperations(surface: Surface) {
  const { paths } = await buildOpenApi([surface], {} as SurfaceKit, INFO);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
      statuses: Object.keys(operation.responses ?? {}).join(' '),
    })),
  );
}

/** A section of a page in `docs/contracts`. */
export async function readContract(page: string, heading: string): Promise<string> {
  const text = await readFile(new URL(`../../docs/contracts/${page}`, import.meta.url), 'utf8');
  const from = text.indexOf(`\n## ${heading}\n`);
  const to = text.indexOf('\n## ', from + 1);
  return text.slice(from, to === -1 ? undefined : to);
}

/** What the page says of each operation, as `describeOperations` would: its name and its statuses. */
export async function readOperations(page: string): Promise<string[]> {
  const table = await readContract(page, 'Every operation');
  const rows = [...table.matchAll(/^\| `([A-Z]+ [^`]+)` \| ([\d ]+) \|$/gm)];
  return rows.map(([, name, statuses]) => `${name}: ${statuses}`).sort();
}

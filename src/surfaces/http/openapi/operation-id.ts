/** Segments that tell a version or a mount and no operation apart. */
const SILENT_SEGMENTS = new Set(['api', 'v1']);

/**
 * `getRunsByRunId` of `GET /v1/runs/{run_id}`: made of method and path, which are unique together, so that generated
 * clients have names that stay when other routes come and go.
 */
export function toOperationId(method: string, path: string): string {
  const words = path
    .split('/')
    .filter((segment) => segment !== '' && !SILENT_SEGMENTS.has(segment))
    .map((segment) => (segment.startsWith('{') ? `By_${segment.slice(1, -1)}` : segment))
    .flatMap((segment) => segment.split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map(capitalize).join('');
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

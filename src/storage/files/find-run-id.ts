const RUN_ID_MARK = '"run_id":"';

/**
 * Whose line it is, told without parsing it. The first mark is the line's own: the payload, which may hold others,
 * comes after it.
 */
export function findRunId(text: string): string | undefined {
  const start = text.indexOf(RUN_ID_MARK) + RUN_ID_MARK.length;
  return start < RUN_ID_MARK.length ? undefined : text.slice(start, text.indexOf('"', start));
}

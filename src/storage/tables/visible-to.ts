/** Whether an agent keeps what it wrote to itself now, in SQL. */
export const isKept = (agentColumn: string): string =>
  `exists (
    select 1 from agents where agents.id = ${agentColumn} and agents.memory_access = 'private'
  )`;

/**
 * Whether somebody may see what an agent wrote, in SQL: their own always; that of others when it was written for
 * everybody, by an agent that keeps nothing to itself now; nothing of others when their own memory is private. The
 * parameters are `:readerId` and `:isOwnOnly`.
 */
export function visibleToReader(agentColumn: string, isPrivate: string): string {
  return `(
    ${agentColumn} = :readerId
    or (
      not :isOwnOnly and not ${isPrivate}
      and not ${isKept(agentColumn)}
    )
  )`;
}

/** The same for what is not kept apart when it is written: once its agent is gone nobody knows whose it was to see. */
export function visibleOfLiving(agentColumn: string): string {
  const isGone = `not exists (select 1 from agents where agents.id = ${agentColumn})`;
  return visibleToReader(agentColumn, isGone);
}

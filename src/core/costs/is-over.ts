/** More was spent than the budget allows. */
export function isOver(spending: {
  readonly spentPico: bigint;
  readonly budgetPico: bigint | undefined;
}): boolean {
  const { spentPico, budgetPico } = spending;
  return budgetPico !== undefined && spentPico > budgetPico;
}

/** Whose things on `/internal/v1` are: a user of the product, or a guest that it tells apart by a scope. */
export type Principal =
  | { readonly kind: 'user'; readonly id: number }
  | { readonly kind: 'guest'; readonly scope: string };

/** One text for each principal: what owners are stored and compared as. */
export function toOwner(principal: Principal): string {
  return principal.kind === 'user' ? `user:${principal.id}` : `guest:${principal.scope}`;
}

/** Whoever holds the bearer token or sits at the machine, as an owner. No principal of a product reads like this. */
export const OPERATOR = 'operator';

/** The one rule: to whoever acts for a principal, what is not that principal's own does not exist. */
export function maySee(viewer: string, owner: string): boolean {
  return viewer === OPERATOR || viewer === owner;
}

/** What everybody may see is still its owner's, or the operator's, to change. */
export function mayChange(actor: string, owner: string): boolean {
  return actor === OPERATOR || actor === owner;
}

/** What a list for a viewer may hold, as a part of its filter. */
export function visibleTo(viewer: string): { readonly owner?: string } {
  return viewer === OPERATOR ? {} : { owner: viewer };
}

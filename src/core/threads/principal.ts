/** Whose things on `/internal/v1` are: a user of the product, or a guest that it tells apart by a scope. */
export type Principal =
  | { readonly kind: 'user'; readonly id: number }
  | { readonly kind: 'guest'; readonly scope: string };

/** One text for each principal: what owners are stored and compared as. */
export function toOwner(principal: Principal): string {
  return principal.kind === 'user' ? `user:${principal.id}` : `guest:${principal.scope}`;
}

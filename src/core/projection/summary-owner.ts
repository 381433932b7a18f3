/** Owners are stored as one text; documents tell users and guests apart, as the contract's do. */
export function toOwnerFields(owner: string | undefined) {
  const [, kind, name = ''] = /^(user|guest):(.*)$/s.exec(owner ?? '') ?? [];
  return {
    owner_user_id: kind === 'user' ? Number(name) : null,
    owner_guest_scope: kind === 'guest' ? name : null,
  };
}

const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** `http://host/path`, as callers write it for a proxy, without its beginning: routes, logs and messages know paths only. */
export function toOriginForm(target: string): string {
  const path = target.replace(ABSOLUTE_FORM, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

/** The host, port and whatever else a target names before its path. */
export function findAuthority(target: string): string | undefined {
  return ABSOLUTE_FORM.exec(target)?.[1];
}

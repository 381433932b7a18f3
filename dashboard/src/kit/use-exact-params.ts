import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';

type Part = Readonly<Record<string, string | undefined>>;

/** What is empty is taken away. `replace`: Back does not lead to what was before. */
export type ChangeParams = (part: Part, options: { readonly replace: boolean }) => void;

/**
 * The parameters of the address, exactly: the hooks of the router itself decode a part of them first, and what is named
 * `50%41` would be `50A` on the page.
 */
export function useExactParams(): readonly [URLSearchParams, ChangeParams] {
  const change: ChangeParams = (part, options) => {
    const params = withPart(new URLSearchParams(location.search), part);
    navigate(location.pathname + (params.size === 0 ? '' : `?${params}`), options);
  };
  return [new URLSearchParams(useSearch()), change];
}

/** `?status=failed` as it stands in the address, or nothing. */
export function useExactSearch(): string {
  return useSearch();
}

/** The parts of the path behind `/dashboard`, each as it was before it was written into the address. */
export function useExactPath(): readonly string[] {
  const [, , ...parts] = usePathname().split('/');
  return parts.map(decode);
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    // Typed by hand, and no encoding of anything.
    return written;
  }
}

function withPart(params: URLSearchParams, part: Part): URLSearchParams {
  for (const [name, value] of Object.entries(part)) {
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  }
  return params;
}

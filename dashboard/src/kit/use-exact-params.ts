import { useSearchParams } from 'wouter';

type Part = Readonly<Record<string, string | undefined>>;

/** What is empty is taken away. `replace`: Back does not lead to what was before. */
type ChangeParams = (part: Part, options: { readonly replace: boolean }) => void;

/**
 * The parameters of the address, exactly: the router decodes a part of them first, and what is named `50%41` would be
 * `50A` on the page.
 */
export function useExactParams(): readonly [URLSearchParams, ChangeParams] {
  const [, set] = useSearchParams();
  return [
    new URLSearchParams(location.search),
    (part, options) => set(withPart(new URLSearchParams(location.search), part), options),
  ];
}

function withPart(params: URLSearchParams, part: Part): URLSearchParams {
  for (const [name, value] of Object.entries(part)) {
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  }
  return params;
}

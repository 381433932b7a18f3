import type { AgentId, RunId } from '../ids.ts';

/** What a call reaches, in the one spelling that rules are judged on. Each names the argument that it came from. */
export type Aim =
  | {
      /** `tree`: all that lies below is reached too. */
      readonly kind: 'path' | 'tree';
      readonly field: string;
      /** The real path from the workspace, with `/`; `.` for the workspace itself. */
      readonly path: string;
      /** Gives another path, such as a rule's, the same spelling. `asEntry` keeps a link in last place as it is. */
      readonly respell: (path: string, options?: { readonly asEntry?: boolean }) => Promise<string>;
    }
  | {
      readonly kind: 'url';
      readonly field: string;
      /** As `spellUrl` gives it. */
      readonly url: string;
    }
  | { readonly kind: 'command'; readonly field: string; readonly argv: readonly string[] };

/** For whom the call is made: what a path means may depend on it. */
export interface AimContext {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly principal: string;
}

/** Octets that mean the same encoded and not. */
const NEEDLESSLY_ENCODED = /%(?:2d|2e|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/gi;

/**
 * One spelling for a URL: scheme and host in small letters, plain addresses, no default port, user, fragment or dot
 * behind the host, nothing encoded without need. Undefined for what is no URL.
 */
export function spellUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  const plain = url.href.replace(NEEDLESSLY_ENCODED, (octet) =>
    String.fromCharCode(Number.parseInt(octet.slice(1), 16)),
  );
  return plain.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

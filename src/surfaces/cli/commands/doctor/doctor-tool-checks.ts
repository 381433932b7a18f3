import type { SandboxProbe } from '../../../../core/sandbox/sandbox.ts';
import { judgeSandbox } from '../../../../core/security/judge-sandbox.ts';
import type { McpServerShape } from '../../../../operations/mcp/mcp-shapes.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { countHeld, describeFault } from '../mcp/mcp-text.ts';
import { type Finding, toDoctorStatus, type Verdict } from './doctor-checks.ts';

const MAX_NAME_CHARS = 40;
const MAX_REASON_CHARS = 400;

const SANDBOX_FIXES = {
  bwrap: {
    unavailable:
      'install bubblewrap (apt install bubblewrap, dnf install bubblewrap), and let users make user namespaces',
    weak: 'install bubblewrap 0.8 or newer; /proc must show children of processes',
  },
  docker: {
    unavailable:
      'install and start Docker, and let this user talk to it; or set sandbox.provider to bwrap',
    weak: 'install a newer Docker',
  },
} as const;

export function checkSandbox(provider: keyof typeof SANDBOX_FIXES, probe: SandboxProbe): Verdict {
  const fixes = SANDBOX_FIXES[provider];
  const status = toDoctorStatus(judgeSandbox(probe));
  if (!probe.available) {
    return {
      status,
      summary: `${provider} can't run a command: ${toOneLine(probe.reason, MAX_REASON_CHARS)}`,
      fix: fixes.unavailable,
    };
  }
  const version = toOneLine(probe.version, MAX_NAME_CHARS);
  if (status === 'ok') return { status, summary: `${version} runs commands` };
  return {
    status,
    summary: `${version} runs commands, but ${probe.weaknesses.join('; ')}`,
    fix: fixes.weak,
  };
}

/** One finding for each server. Without a server of ours nobody has compared what tools say with what was approved. */
export function checkMcpServers(
  servers: readonly McpServerShape[],
  { comparesTools }: { readonly comparesTools: boolean },
): Finding[] {
  return servers.map((server) => ({
    name: `mcp:${toOneLine(server.name, MAX_NAME_CHARS)}`,
    ...checkMcpServer(server, comparesTools ? countHeld(server) : 0),
  }));
}

function checkMcpServer(server: McpServerShape, held: number): Verdict {
  const { state, last_error: fault, tools } = server;
  const reason = fault === null ? state : describeFault(fault);
  switch (state) {
    case 'disabled':
      return { status: 'ok', summary: 'disabled in the configuration' };
    case 'invalid':
      return { status: 'warn', summary: reason, fix: 'correct its entry in mcpServers' };
    case 'ready': {
      const summary = `ready with ${tools.length} tool${tools.length === 1 ? '' : 's'}`;
      if (held === 0) return { status: 'ok', summary };
      return {
        status: 'warn',
        summary: `${summary}, ${held} of them not approved`,
        fix: 'claw mcp list shows them, claw mcp approve SERVER TOOL approves one',
      };
    }
    default:
      return {
        status: 'warn',
        summary: `not connected: ${reason}`,
        fix: 'start it by hand to see what it says; agents go on without its tools',
      };
  }
}

import { Download, Terminal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { getAgent } from '../../../../../src/operations/agents/agents.ts';
import { copyAndTell } from '../../../kit/copy.tsx';
import { toCurl } from '../../../kit/curl.ts';
import { Menu } from '../../../kit/menu.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { RemoveAgent } from './remove-agent.tsx';

export function AgentMenu({ agent }: { readonly agent: AgentShape }) {
  const [asked, setAsked] = useState<'export' | 'remove'>();
  const close = () => setAsked(undefined);
  const copy = () => copyAndTell(toCurl(getAgent, { params: { agent_id: agent.agent_id } }));
  return (
    <>
      <Menu
        label="More"
        items={[
          { label: 'Export', icon: Download, onSelect: () => setAsked('export') },
          { label: 'Copy as curl', icon: Terminal, onSelect: () => void copy() },
          { label: 'Remove', icon: Trash2, isDanger: true, onSelect: () => setAsked('remove') },
        ]}
      />
      {asked === 'export' ? <ExportDialog agent={agent} onClose={close} /> : null}
      {asked === 'remove' ? <RemoveAgent agent={agent} onClose={close} /> : null}
    </>
  );
}

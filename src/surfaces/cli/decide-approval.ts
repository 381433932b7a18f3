import { NOTE_OPTION, parseId, parseNote } from './admin-arguments.ts';
import { APPROVAL_ID, namingApproval } from './approval-text.ts';
import { defineCommand } from './command.ts';
import { openAdmin, openLedger, withAdmin } from './open-admin.ts';
import { toOneLine } from './plain-text.ts';

export interface DecideOptions {
  readonly verb: 'approve' | 'deny';
  readonly status: 'approved' | 'denied';
  readonly description: string;
  readonly examples: readonly string[];
}

/** `approvals approve` and `approvals deny`. */
export function defineDecision({ verb, status, description, examples }: DecideOptions) {
  const command = `approvals ${verb}`;
  return defineCommand({
    usage: 'APPROVAL [--note TEXT]',
    description,
    args: { min: 1, max: 1 },
    options: { note: NOTE_OPTION },
    examples,
    async run({ args, options }, context) {
      const id = parseId(args[0], { command, ...APPROVAL_ID });
      const note = parseNote(options.note, command);
      // Looked up without a writer first: a mistyped id must not create a state root.
      await withAdmin(openLedger(context), (admin) => namingApproval(id, admin.getApproval(id)));
      return withAdmin(openAdmin(context), async (admin, via) => ({
        via,
        approval: await namingApproval(id, admin.decideApproval(id, { status, note })),
      }));
    },
    fields: ({ via, approval }) => ({ ...approval, via }),
    text: ({ via, approval }) =>
      [
        `${toOneLine(approval.tool, 100)} of run ${approval.run_id} is ${approval.status}`,
        ...(via === 'local' ? ['the run goes on when a server runs: claw serve'] : []),
      ].join('\n'),
  });
}

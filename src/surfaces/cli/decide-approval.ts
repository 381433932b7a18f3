import { NOTE_OPTION, parseId, parseNote } from './admin-arguments.ts';
import { APPROVAL_ID, namingApproval } from './approval-text.ts';
import { defineCommand, type OptionSpecs } from './command.ts';
import { openAdmin, openLedger, withAdmin } from './open-admin.ts';
import { toOneLine } from './plain-text.ts';

export interface DecideOptions<Specs extends OptionSpecs> {
  readonly verb: 'approve' | 'deny';
  readonly status: 'approved' | 'denied';
  readonly usage: string;
  /** Beside the note. */
  readonly options: Specs;
  readonly description: string;
  readonly examples: readonly string[];
}

/** `approvals approve` and `approvals deny`. */
export function defineDecision<const Specs extends OptionSpecs>(definition: DecideOptions<Specs>) {
  const { verb, status, usage, description, examples } = definition;
  const command = `approvals ${verb}`;
  return defineCommand({
    usage,
    description,
    args: { min: 1, max: 1 },
    options: { ...definition.options, note: NOTE_OPTION },
    examples,
    async run({ args, options }, context) {
      const id = parseId(args[0], { command, ...APPROVAL_ID });
      const note = parseNote(options.note, command);
      const isAlways = 'always' in options && options.always === true;
      // Looked up without a writer first: a mistyped id must not create a state root.
      await withAdmin(openLedger(context), (admin) => namingApproval(id, admin.getApproval(id)));
      return withAdmin(openAdmin(context), async (admin, via) => {
        const { always } = await namingApproval(id, admin.getApproval(id));
        const decision = { status, note, ...(isAlways ? { isAlways } : {}) };
        const approval = await namingApproval(id, admin.decideApproval(id, decision));
        return { via, approval, kept: isAlways ? always : null };
      });
    },
    fields: ({ via, approval, kept }) => ({ ...approval, always: kept, via }),
    text: ({ via, approval, kept }) =>
      [
        `${toOneLine(approval.tool, 100)} of run ${approval.run_id} is ${approval.status}`,
        ...(kept === null ? [] : [`from now on without asking: ${toOneLine(kept, 400)}`]),
        ...(via === 'local' ? ['the run goes on when a server runs: claw serve'] : []),
      ].join('\n'),
  });
}

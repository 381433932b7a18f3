import { approveCall, denyCall, getApproval } from '../../../../operations/approvals/approvals.ts';
import { NOTE_OPTION, parseId, parseNote } from '../../admin-arguments.ts';
import { APPROVALS, assertApproval, namingApproval } from '../../ask/ask-approvals.ts';
import { asking } from '../../ask/ask-runtime.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand, type OptionSpecs } from '../../program/command.ts';
import { APPROVAL_ID } from './approval-text.ts';

export interface DecideOptions<Specs extends OptionSpecs> {
  readonly verb: 'approve' | 'deny';
  readonly usage: string;
  /** Beside the note. */
  readonly options: Specs;
  readonly description: string;
  readonly examples: readonly string[];
}

/** `approvals approve` and `approvals deny`. */
export function defineDecision<const Specs extends OptionSpecs>(definition: DecideOptions<Specs>) {
  const { verb, usage, description, examples } = definition;
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
      const params = { approval_id: id };
      await assertApproval(context, id);
      return asking(context, APPROVALS.write, async (ask, via) => {
        const { always } = await namingApproval(id, ask(getApproval, { params }));
        const decided =
          verb === 'approve'
            ? ask(approveCall, { params, body: { note, always: isAlways } })
            : ask(denyCall, { params, body: { note } });
        const approval = await namingApproval(id, decided);
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

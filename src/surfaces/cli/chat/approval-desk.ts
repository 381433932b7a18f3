import { toRuntimeError } from '../../../core/errors.ts';
import { RUN_ID_PATTERN } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { ApprovalShape } from '../../http/admin-shapes.ts';
import type { AdminAccess } from '../admin-access.ts';
import { toOneLine, toPlainText } from '../plain-text.ts';
import type { Style } from '../style.ts';

export interface ApprovalDeskOptions {
  readonly admin: Pick<AdminAccess, 'getApproval' | 'decideApproval'>;
  readonly style: Style;
  readonly say: (text: string) => void;
  /** A question came up, or is settled. */
  readonly onChange: () => void;
}

export type Answer = 'approved' | 'denied';

const ANSWERS: Readonly<Record<string, Answer>> = {
  y: 'approved',
  yes: 'approved',
  n: 'denied',
  no: 'denied',
};

/** Whoever answers must have been able to see what for; what is longer is said to be. */
const MAX_ARGUMENT_CHARS = 8_000;

/** The question that a turn waits for, and its answer. */
export class ApprovalDesk {
  readonly #options: ApprovalDeskOptions;
  #asked: ApprovalShape | undefined;

  constructor(options: ApprovalDeskOptions) {
    this.#options = options;
  }

  get isAsking(): boolean {
    return this.#asked !== undefined;
  }

  /** Shows what is asked. A question that was settled before anybody could look is none. */
  async ask(approvalId: string): Promise<void> {
    const approval = await this.#options.admin.getApproval(approvalId);
    if (approval.status !== 'pending') return;
    this.#asked = approval;
    this.#options.say(this.#describe(approval));
  }

  /** Undefined when nothing is asked, or for anything but yes and no: that is a message. */
  parseAnswer(typed: string): Answer | undefined {
    const word = typed.trim().toLowerCase();
    return this.#asked && Object.hasOwn(ANSWERS, word) ? ANSWERS[word] : undefined;
  }

  /** Answers the question at hand, or another one by its id. */
  async decide(status: Answer, approvalId: string | undefined): Promise<void> {
    const id = approvalId ?? this.#asked?.id;
    if (id === undefined) return this.#options.say('nothing is asked here');
    if (!RUN_ID_PATTERN.test(id)) return this.#options.say('ids look like appr_01jv8z4q0k6c…');
    const asked = id === this.#asked?.id ? this.#asked : undefined;
    if (asked) this.#asked = undefined;
    try {
      const { tool } = await this.#options.admin.decideApproval(id, { status, note: '' });
      this.#options.say(this.#options.style.dim(`${status}: ${toOneLine(tool, 100)}`));
    } catch (thrown) {
      // Answered elsewhere, it is settled; an answer that got lost can be given again.
      if (toRuntimeError(thrown).code !== 'conflict') this.#asked ??= asked;
      throw thrown;
    }
  }

  /** Somebody has answered, here or elsewhere, or the time was over. */
  hear(decision: JsonObject): void {
    if (this.#asked === undefined || this.#asked.id !== decision['approval_id']) return;
    this.#asked = undefined;
    const by = typeof decision['by'] === 'string' ? ` by ${decision['by']}` : '';
    this.#options.say(this.#options.style.dim(toOneLine(`${decision['status']}${by}`, 100)));
  }

  /** The turn is over, and its question with it. */
  forget(): void {
    if (this.#asked === undefined) return;
    this.#asked = undefined;
    this.#options.onChange();
  }

  #describe({ id, tool, reason, arguments: given }: ApprovalShape): string {
    const { style } = this.#options;
    const text = toPlainText(JSON.stringify(given, null, 2));
    const isCut = text.length > MAX_ARGUMENT_CHARS;
    const lines = text.slice(0, MAX_ARGUMENT_CHARS).replace(/^/gm, '  ');
    return [
      `${style.yellow('may it use')} ${style.bold(toOneLine(tool, 100))}${style.yellow('?')}`,
      lines,
      ...(isCut ? [style.yellow(`  … there is more: claw approvals show ${id}`)] : []),
      style.dim(`  ${toOneLine(reason, 400)}`),
    ].join('\n');
  }
}

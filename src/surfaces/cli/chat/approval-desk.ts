import type { EditPreview } from '../../../core/approvals/proposed-change.ts';
import { toRuntimeError } from '../../../core/errors.ts';
import { RUN_ID_PATTERN } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { ApprovalShape } from '../../../operations/approvals/approval-shapes.ts';
import {
  type ApprovalWriting,
  approveCall,
  denyCall,
  getApproval,
} from '../../../operations/approvals/approvals.ts';
import type { Ask } from '../ask/ask-runtime.ts';
import { describeChoices, describeQuestion } from '../commands/approvals/approval-question.ts';
import { toOneLine } from '../print/plain-text.ts';
import type { Style } from '../print/style.ts';

export interface ApprovalDeskOptions {
  readonly askRuntime: Ask<ApprovalWriting>;
  readonly style: Style;
  readonly say: (text: string) => void;
  /** What a call would make of a file. */
  readonly preview: (approval: ApprovalShape) => Promise<EditPreview | undefined>;
  /** A question came up, or is settled. */
  readonly onChange: () => void;
}

export type Answer = 'approved' | 'denied' | 'always';

const ANSWERS: Readonly<Record<string, Answer>> = {
  y: 'approved',
  yes: 'approved',
  n: 'denied',
  no: 'denied',
  a: 'always',
  always: 'always',
};

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

  /** What may be answered: `y/n`. */
  get choices(): string {
    return this.#asked === undefined ? '' : describeChoices(this.#asked);
  }

  /** Shows what is asked. A question that was settled before anybody could look is none. */
  async ask(approvalId: string): Promise<void> {
    const params = { approval_id: approvalId };
    const approval = await this.#options.askRuntime(getApproval, { params });
    if (approval.status !== 'pending') return;
    const preview = await this.#options.preview(approval).catch(() => undefined);
    this.#asked = approval;
    this.#options.say(describeQuestion(approval, preview, this.#options.style));
  }

  /** Undefined when nothing is asked, or for anything but yes and no: that is a message. */
  parseAnswer(typed: string): Answer | undefined {
    const word = typed.trim().toLowerCase();
    return this.#asked && Object.hasOwn(ANSWERS, word) ? ANSWERS[word] : undefined;
  }

  /** Answers the question at hand, or another one by its id. */
  async decide(answer: Answer, approvalId: string | undefined): Promise<void> {
    const isAlways = answer === 'always';
    const status = isAlways ? 'approved' : answer;
    const id = approvalId ?? this.#asked?.id;
    if (id === undefined) return this.#options.say('nothing is asked here');
    if (!RUN_ID_PATTERN.test(id)) return this.#options.say('ids look like appr_01jv8z4q0k6c…');
    const asked = id === this.#asked?.id ? this.#asked : undefined;
    if (isAlways && asked?.always === null) {
      return this.#options.say('no rule can say that: y lets it happen this once');
    }
    if (asked) this.#asked = undefined;
    try {
      const { tool } = await this.#send(id, answer);
      this.#options.say(this.#options.style.dim(`${status}: ${toOneLine(tool, 100)}`));
      if (isAlways) {
        const what = toOneLine(asked?.always ?? tool, 400);
        this.#options.say(
          this.#options.style.dim(`from now on without asking: ${what} (claw policy list)`),
        );
      }
    } catch (thrown) {
      // Answered elsewhere, it is settled; an answer that got lost can be given again.
      if (toRuntimeError(thrown).code !== 'conflict') this.#asked ??= asked;
      throw thrown;
    }
  }

  #send(id: string, answer: Answer): Promise<ApprovalShape> {
    const { askRuntime } = this.#options;
    const params = { approval_id: id };
    if (answer === 'denied') return askRuntime(denyCall, { params, body: {} });
    return askRuntime(approveCall, { params, body: { always: answer === 'always' } });
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
}

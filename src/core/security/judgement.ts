export type CheckStatus = 'pass' | 'warn' | 'fail';

/** What the checklist speaks. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

export type Text = Readonly<Record<Language, string>>;

/** How it stands with one thing, and what to do about it: also what keeps it well. */
export interface Judgement {
  readonly status: CheckStatus;
  readonly message: Text;
  readonly recoveryAction: Text;
}

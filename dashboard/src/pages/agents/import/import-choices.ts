/** What only a person can decide about a file from elsewhere. */
export interface ImportChoices {
  /** Empty: the one it comes with. */
  readonly name: string;
  /** The public key that counts this once; empty: none. */
  readonly trust: string;
  /** Tools that it is granted here. */
  readonly grants: readonly string[];
  /** What else it was granted is left out. */
  readonly withoutGrants: boolean;
  readonly approvesPins: boolean;
  readonly approvesMemory: boolean;
  readonly principals: 'keep' | 'skip' | undefined;
}

export const NO_CHOICES: ImportChoices = {
  name: '',
  trust: '',
  grants: [],
  withoutGrants: false,
  approvesPins: false,
  approvesMemory: false,
  principals: undefined,
};

/** In the words of the operation. */
export function toInput(choices: ImportChoices, { isPreview }: { readonly isPreview: boolean }) {
  const { name, trust, grants, principals } = choices;
  return {
    query: {
      preview: isPreview,
      trust,
      grant: grants.join(','),
      without_grants: choices.withoutGrants,
      approve_pins: choices.approvesPins,
      ...(name.trim() === '' ? {} : { as: name.trim() }),
      ...(principals === undefined ? {} : { principals }),
    },
    headers: choices.approvesMemory ? { 'x-clawos-global-memory-approved': 'true' } : {},
  };
}

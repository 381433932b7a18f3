import { REDACTED } from './redact.ts';

/**
 * Words that stand where a secret could but are none: types, literals, key words, states. Without them a source file
 * or an error message would be damaged for nothing (`token: string`, `password: required`).
 */
const WORDS = new Set(
  (
    'true false null undefined none nil yes no on off string number boolean integer any unknown void never object ' +
    'array str int bool bytes float char text buffer uint8array secretstr await new async function typeof yield ' +
    'required optional missing invalid expired unset empty include omit same-origin redacted n/a'
  ).split(' '),
);
const LONGEST_WORD = 12;

/** `${TOKEN}`, `$TOKEN`, `{{ token }}`, `<token>`, `%TOKEN%`, `***`, `xxxx`: a place for a secret, not one. */
const PLACEHOLDER =
  /^(?:[Bb]earer |[Bb]asic |[Tt]oken )?(?:\[REDACTED\]|\$\{[^}]*\}|\$\([^)]*\)|\$[A-Z_][A-Z0-9_]*|\{\{[^}]*\}\}|<[^<>]*>|%[A-Z_]+%|[*.•…]+|x{3,})$/;

/** Whether a value under a secret's name may stay readable. */
export function isHarmless(value: string): boolean {
  if (value === '' || value === REDACTED) return true;
  if (value.length <= LONGEST_WORD && WORDS.has(value.toLowerCase())) return true;
  return PLACEHOLDER.test(value);
}

const OPENS_PLACEHOLDER = /^(?:\$[{(]|\{\{)/;
const KNOWN_ROOT =
  /^(?:process|this|self|os|env|config|settings|ctx|req|request|res|options|opts|args|params|props|secrets|vars)\??\.[A-Za-z_$]/;
const CALL_OR_INDEX = /^[A-Za-z_$][\w$]*(?:\??\.[\w$]+)*(?:\(|\[)/;
const MEMBER = /^[A-Za-z_$]+(?:\??\.[A-Za-z_$]+)+;?$/;

/**
 * Whether an unquoted value reads as program text that refers to a secret instead of holding one. Calls and members
 * count only where there is white space around the sign, as formatted code has and `.env` files and URLs have not.
 */
export function isCode(
  value: string,
  sign: { readonly spaced: boolean; readonly equals: boolean },
): boolean {
  if (OPENS_PLACEHOLDER.test(value) || KNOWN_ROOT.test(value)) return true;
  if (!sign.spaced) return false;
  return CALL_OR_INDEX.test(value) || (sign.equals && MEMBER.test(value));
}

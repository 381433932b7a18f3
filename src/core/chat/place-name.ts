/**
 * Users, rooms and channels are named by callers. Such a name may become part of a path or a line of text somewhere:
 * 1 to 128 characters, none of them a control character, half a surrogate pair, a slash or a backslash, no two dots in
 * a row, and not blank.
 */
export const PLACE_NAME_PATTERN = /^(?!\s*$)(?!.*\.\.)[^/\\\p{Cc}\p{Cs}\u2028\u2029]{1,128}$/u;

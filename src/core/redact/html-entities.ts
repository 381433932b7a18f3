/** Printable ASCII and what lies around it: nearly every character of a key has a name in HTML, some have several. */
const ASCII =
  'Tab:\t NewLine:\n excl:! quot:" QUOT:" num:# dollar:$ percnt:% amp:& AMP:& apos:\' lpar:( rpar:) ast:* midast:* ' +
  'plus:+ comma:, period:. sol:/ colon:: semi:; lt:< LT:< equals:= gt:> GT:> quest:? commat:@ lsqb:[ lbrack:[ ' +
  'bsol:\\ rsqb:] rbrack:] Hat:^ lowbar:_ UnderBar:_ grave:` DiacriticalGrave:` lcub:{ lbrace:{ verbar:| vert:| ' +
  'VerticalLine:| rcub:} rbrace:}';

/** U+00A0 to U+00FF, in order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
const FIRST_LATIN = 0xa0;

/** What `&name;` stands for, for the names that could stand in a key or a password. */
export const HTML_ENTITIES: ReadonlyMap<string, string> = new Map([
  // One space parts the entries, so that a tab and a line break can be among the characters.
  ...ASCII.split(' ').map((entry) => toPair(entry)),
  ...LATIN.split(' ').map(
    (name, index) => [name, String.fromCharCode(FIRST_LATIN + index)] as [string, string],
  ),
]);

function toPair(entry: string): [string, string] {
  const colon = entry.indexOf(':');
  return [entry.slice(0, colon), entry.slice(colon + 1)];
}

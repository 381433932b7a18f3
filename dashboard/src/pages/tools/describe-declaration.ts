import type { McpToolShape } from '../../../../src/operations/mcp/mcp-shapes.ts';

/** What a tool says about itself, as lines that can be compared. */
export function describeDeclaration({
  description,
  input_schema,
  annotations,
}: McpToolShape['seen']): string {
  return showHidden(
    [
      'Description',
      description === '' ? '(none)' : description,
      '',
      'Input schema',
      JSON.stringify(input_schema, null, 2),
      '',
      'What it says of its effects',
      JSON.stringify(annotations, null, 2),
    ].join('\n'),
  );
}

/** What turns letters around or is not seen would be approved unseen, so it is spelled out. */
function showHidden(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    char === '\n' || char === '\t' ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}

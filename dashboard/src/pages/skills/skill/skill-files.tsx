import type { SkillDetailShape } from '../../../../../src/operations/skills/skill-shapes.ts';
import { CodeBlock } from '../../../kit/code-block.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Section } from '../../../kit/page.tsx';

type SkillFile = SkillDetailShape['files'][number];

/** What came with the release, each opened when it is wanted. */
export function SkillFiles({ files }: { readonly files: readonly SkillFile[] }) {
  if (files.length === 0) return null;
  return (
    <Section title="Files" hint="Of the release, as agents read them.">
      <ul className="space-y-2">
        {files.map((file) => (
          <li key={file.path}>
            <details className="rounded-lg border border-line bg-surface">
              <summary className="px-3 py-2 text-sm break-all">
                <code>{file.path}</code>{' '}
                <span className="text-muted">
                  {formatCount(file.chars)} characters
                  {file.encoding === 'base64' ? ', not text' : ''}
                </span>
              </summary>
              <div className="border-t border-line p-2">
                <CodeBlock code={file.content} language={languageOf(file)} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const LANGUAGES: Readonly<Record<string, string>> = {
  md: 'markdown',
  py: 'python',
  sh: 'bash',
  js: 'javascript',
  ts: 'typescript',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
};

function languageOf({ path, encoding }: SkillFile): string {
  if (encoding === 'base64') return '';
  return LANGUAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? '';
}

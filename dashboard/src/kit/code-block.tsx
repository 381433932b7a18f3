import type { RootContent } from 'hast';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { CopyButton } from './copy.tsx';

/** Longer code is shown plain: colouring it would hold up the page. */
const MAX_COLOURED = 50_000;

/** Code with its colours, which come when they are loaded. */
export function CodeBlock({
  code,
  language = '',
}: {
  readonly code: string;
  readonly language?: string;
}) {
  const [tree, setTree] = useState<readonly RootContent[]>();
  const name = language.split(/\s/)[0] ?? '';
  useEffect(() => {
    setTree(undefined);
    if (code.length > MAX_COLOURED || name === '') return;
    let isCurrent = true;
    void import('./highlight.ts').then(({ highlight }) => {
      if (isCurrent) setTree(highlight(code, name));
    });
    return () => {
      isCurrent = false;
    };
  }, [code, name]);
  return (
    <div className="group relative overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line px-3 py-0.5 text-xs text-muted">
        <span>{name === '' ? 'text' : name}</span>
        <CopyButton text={code} label="Copy code" />
      </div>
      <pre tabIndex={0} className="max-h-[32rem] overflow-auto p-3 text-sm leading-relaxed">
        <code>{tree === undefined ? code : renderTree(tree)}</code>
      </pre>
    </div>
  );
}

/** Anything structured, as it would be typed. */
export function Json({ value }: { readonly value: unknown }) {
  return <CodeBlock code={JSON.stringify(value, null, 2) ?? 'undefined'} language="json" />;
}

function renderTree(nodes: readonly RootContent[]): ReactNode {
  return nodes.map((node, at) => {
    if (node.type === 'text') return node.value;
    if (node.type !== 'element') return null;
    const kinds = node.properties['className'];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the tree of one text does not change
      <Fragment key={at}>
        <span className={Array.isArray(kinds) ? kinds.join(' ') : undefined}>
          {renderTree(node.children)}
        </span>
      </Fragment>
    );
  });
}

import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode, useMemo } from 'react';
import { CodeBlock } from './code-block.tsx';
import { readMarkdown } from './read-markdown.ts';

/**
 * What an agent wrote, as elements: no HTML of its own ever reaches the page. Links are shown with where they lead and
 * open only when somebody presses them; images are never fetched, for the address alone could tell a secret.
 */
export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => readMarkdown(text), [text]);
  if (tokens === undefined) return <p className="break-words whitespace-pre-wrap">{text}</p>;
  return <div className="space-y-3 break-words">{renderAll(tokens)}</div>;
}

function renderAll(tokens: readonly Token[] | undefined): ReactNode {
  return (tokens ?? []).map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: text only grows at its end
    <Fragment key={at}>{render(token)}</Fragment>
  ));
}

function render(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <Heading token={token as Tokens.Heading} />;
    case 'paragraph':
      return <p>{renderAll(token.tokens)}</p>;
    case 'text':
      return token.tokens === undefined ? token.text : renderAll(token.tokens);
    case 'code':
      return <CodeBlock code={token.text} language={(token as Tokens.Code).lang ?? ''} />;
    case 'blockquote':
      return (
        <blockquote className="border-l-2 border-line-strong pl-3 text-muted">
          {renderAll(token.tokens)}
        </blockquote>
      );
    case 'list':
      return <List token={token as Tokens.List} />;
    case 'table':
      return <Grid token={token as Tokens.Table} />;
    case 'hr':
      return <hr />;
    default:
      return renderInline(token);
  }
}

function renderInline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{renderAll(token.tokens)}</strong>;
    case 'em':
      return <em>{renderAll(token.tokens)}</em>;
    case 'del':
      return <del>{renderAll(token.tokens)}</del>;
    case 'codespan':
      return <code className="rounded bg-sunken px-1 py-0.5 text-[0.9em]">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <OutsideLink href={(token as Tokens.Link).href}>{renderAll(token.tokens)}</OutsideLink>
      );
    case 'image':
      return (
        <OutsideLink
          href={(token as Tokens.Image).href}
        >{`image: ${token.text || 'without a name'}`}</OutsideLink>
      );
    case 'escape':
      return token.text;
    default:
      // HTML among it: its text, and nothing else.
      return token.raw;
  }
}

function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) {
    return (
      <span title={href}>
        {children} <span className="text-muted">({href})</span>
      </span>
    );
  }
  return (
    <a
      href={href}
      title={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent-ink underline underline-offset-2"
    >
      {children}
    </a>
  );
}

const SIZES = ['text-xl', 'text-lg', 'text-base', 'text-base', 'text-sm', 'text-sm'] as const;

/** Below the page's own headings, whatever level was written. */
function Heading({ token }: { readonly token: Tokens.Heading }) {
  return (
    <p
      role="heading"
      aria-level={Math.min(6, token.depth + 2)}
      className={`font-semibold ${SIZES[token.depth - 1]}`}
    >
      {renderAll(token.tokens)}
    </p>
  );
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: text only grows at its end
    <li key={at} className={item.task ? 'list-none' : undefined}>
      {item.task ? (
        <input
          type="checkbox"
          aria-label="done"
          checked={item.checked === true}
          readOnly
          className="mr-2"
        />
      ) : null}
      {renderAll(item.tokens)}
    </li>
  ));
  if (!token.ordered) return <ul className="list-disc space-y-1 pl-5">{items}</ul>;
  return (
    <ol className="list-decimal space-y-1 pl-5" start={Number(token.start) || 1}>
      {items}
    </ol>
  );
}

function Grid({ token }: { readonly token: Tokens.Table }) {
  return (
    <section aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table className="text-sm">
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a table's columns stay where they are
              <th key={at} className="border border-line px-2 py-1">
                {renderAll(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: text only grows at its end
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a table's columns stay where they are
                <td key={column} className="border border-line px-2 py-1">
                  {renderAll(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

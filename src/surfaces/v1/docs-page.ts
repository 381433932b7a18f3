import { createHash } from 'node:crypto';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '../http/openapi/openapi-document.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
h1, h2, h3 { line-height: 1.2; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .3em; }
pre { padding: .8rem; overflow-x: auto; }
.method { font-weight: 700; margin-right: .5em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
`;

/** The page has no script at all, and its one style sheet is allowed by its hash. */
export const DOCS_POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A readable page of an OpenAPI document. */
export function renderDocsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const contents = operations.map(
    ({ path, method }) =>
      `<li><a href="#${anchor(method, path)}"><code>${escapeHtml(method.toUpperCase())} ${escapeHtml(path)}</code></a></li>`,
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      `<section id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${json(schema)}</section>`,
  );
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(document.info.title)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></h1>`,
    `<p>${escapeHtml(document.info.description ?? '')}</p>`,
    '<p>Machines read <a href="/openapi.json">/openapi.json</a>.</p>',
    `<nav><ul>${contents.join('')}</ul></nav>`,
    ...operations.map(({ path, method, operation }) => renderOperation(method, path, operation)),
    schemas.length === 0 ? '' : `<h2>Schemas</h2>${schemas.join('')}`,
    '</body></html>',
  ].join('\n');
}

function renderOperation(method: string, path: string, operation: OpenApiOperation): string {
  const parameters = operation.parameters ?? [];
  const responses = Object.entries(operation.responses ?? {});
  return [
    `<section id="${anchor(method, path)}">`,
    `<h2><span class="method">${escapeHtml(method.toUpperCase())}</span><code>${escapeHtml(path)}</code></h2>`,
    `<p><strong>${escapeHtml(operation.summary ?? '')}</strong></p>`,
    `<p>${escapeHtml(operation.description ?? '')}</p>`,
    operation.security === undefined ? '<p>Needs no token.</p>' : '',
    parameters.length === 0 ? '' : renderParameters(parameters),
    operation.requestBody?.content
      ? `<h3>Body</h3>${renderContent(operation.requestBody.content)}`
      : '',
    '<h3>Answers</h3><table><tbody>',
    ...responses.map(
      ([status, response]) =>
        `<tr><th>${escapeHtml(status)}</th><td>${escapeHtml(response.description ?? '')}${
          status.startsWith('2') && response.content ? renderContent(response.content) : ''
        }</td></tr>`,
    ),
    '</tbody></table></section>',
  ].join('\n');
}

function renderParameters(parameters: readonly OpenApiParameter[]): string {
  const rows = parameters.map(
    (parameter) =>
      `<tr><th><code>${escapeHtml(parameter.name)}</code></th><td>${escapeHtml(parameter.in)}` +
      `${parameter.required === true ? ', required' : ''}</td>` +
      `<td>${escapeHtml(parameter.description ?? '')}${json(parameter.schema)}</td></tr>`,
  );
  return `<h3>Parameters</h3><table><tbody>${rows.join('')}</tbody></table>`;
}

function renderContent(content: OpenApiContent): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `<p><code>${escapeHtml(type)}</code></p>${json(schema)}`)
    .join('');
}

function json(value: unknown): string {
  return value === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

function anchor(method: string, path: string): string {
  return `${method}-${path}`.replace(/[^A-Za-z0-9]+/g, '-');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

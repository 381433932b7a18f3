/** Sets a mark on the page that runs it. */
const MARK = 'window.__broken=1';

const WRAPPERS: readonly ((script: string) => string)[] = [
  (script) => `<script>${script}</script>`,
  (script) => `"><script>${script}</script>`,
  (script) => `<img src=x onerror="${script}">`,
  (script) => `<svg onload="${script}"></svg>`,
  (script) => `<svg><animate onbegin="${script}" attributeName=x dur=1s>`,
  (script) => `<iframe srcdoc="<script>parent.${script}</script>"></iframe>`,
  (script) => `<a href="javascript:${script}">press</a>`,
  (script) => `[press](javascript:${script})`,
  (script) => `![seen](javascript:${script})`,
  (script) => `[press](data:text/html;base64,${btoa(`<script>${script}</script>`)})`,
  (script) => `<details open ontoggle="${script}">`,
  (script) => `<input autofocus onfocus="${script}">`,
  (script) => `<body onload="${script}">`,
  (script) => `<object data="javascript:${script}"></object>`,
  (script) => `<form action="javascript:${script}"><button autofocus>go</button></form>`,
  (script) => `<math href="javascript:${script}">x</math>`,
  (script) => `<style>@import 'javascript:${script}';</style>`,
  (script) => `<link rel=stylesheet href="data:text/css,*{}" onload="${script}">`,
  (script) => `\`\`\`html\n<script>${script}</script>\n\`\`\``,
  (script) => `<table background="javascript:${script}"><tr><td>x</table>`,
];

const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) =>
    text
      .toUpperCase()
      .replace(/__BROKEN/g, '__broken')
      .replace(/WINDOW/g, 'window'),
  (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text) => text.replaceAll('<', '<\u0000'),
  (text) => text.replaceAll('script', 'scr\u00adipt'),
  (text) => `\u202e${text}\u202c`,
  (text) => `</textarea></title></style>${text}`,
  (text) => `' onmouseover='${MARK}' x='${text}`,
  (text) => `{{constructor.constructor('${MARK}')()}}${text}`,
  (text) => `${text}\n\n${text}`,
];

/** 200 texts that a careless page would run, load or fall apart of. None holds what no store takes. */
export const HOSTILE_TEXTS: readonly string[] = WRAPPERS.flatMap((wrap) =>
  SPELLINGS.map((spell) => spell(wrap(MARK)).replaceAll('\u0000', '\u200b')),
);

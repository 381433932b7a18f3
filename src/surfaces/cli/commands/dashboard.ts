import { RuntimeError } from '../../../core/errors.ts';
import { createSignInCode } from '../../../operations/sign-ins/sign-ins.ts';
import { askSignIns } from '../ask/ask-sign-ins.ts';
import { defineCommand } from '../program/command.ts';

export const dashboard = defineCommand({
  usage: '[--no-open]',
  description:
    'Asks the running server for a link that signs one browser in, once, within ten minutes, and opens it in the browser\n' +
    'of this machine. The link is printed too, for another one. Whoever has it first is the operator: do not pass it on.',
  args: { min: 0, max: 0 },
  options: { 'no-open': { kind: 'flag', summary: 'print the link and open nothing' } },
  examples: ['claw dashboard', 'claw dashboard --no-open'],
  async run({ options }, context) {
    const { answer } = await askSignIns(context, createSignInCode, {});
    // What the system is asked to open is the address of a page, whoever answered.
    if (!/^https?:\/\//.test(answer.url)) {
      throw new RuntimeError('internal', 'the server answered with something that is no link');
    }
    const isOpened = !options['no-open'] && (await context.parts.openBrowser(answer.url));
    return { ...answer, isOpened, isWanted: !options['no-open'] };
  },
  fields: ({ url, expires_at, isOpened }) => ({ url, expires_at, opened: isOpened }),
  text: ({ url, isOpened, isWanted }, style) =>
    [
      isOpened
        ? 'The dashboard is open in your browser. If it is not, open this link:'
        : `${isWanted ? 'No browser could be opened here. ' : ''}Open this link in a browser:`,
      '',
      `  ${style.cyan(url)}`,
      '',
      style.dim('It signs in once, within ten minutes.'),
    ].join('\n'),
});

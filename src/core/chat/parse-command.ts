export type ChatCommand =
  | { readonly name: 'new' }
  | { readonly name: 'resume'; readonly sessionId: string }
  | { readonly name: 'chats' }
  | { readonly name: 'agents' }
  | { readonly name: 'agent'; readonly agentId: string | undefined }
  | { readonly name: 'help' }
  /** A command with too many words, or too few. */
  | { readonly name: 'usage'; readonly usage: string };

interface Form {
  readonly usage: string;
  readonly min: number;
  readonly max: number;
  toCommand(argument: string | undefined): ChatCommand;
}

const CHATS: Form = { usage: '/chats', min: 0, max: 0, toCommand: () => ({ name: 'chats' }) };

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['/new', { usage: '/new', min: 0, max: 0, toCommand: () => ({ name: 'new' }) }],
  [
    '/resume',
    {
      usage: '/resume <session id>',
      min: 1,
      max: 1,
      toCommand: (sessionId = '') => ({ name: 'resume', sessionId }),
    },
  ],
  ['/chats', CHATS],
  ['/sessions', CHATS],
  ['/agents', { usage: '/agents', min: 0, max: 0, toCommand: () => ({ name: 'agents' }) }],
  [
    '/agent',
    {
      usage: '/agent [<agent id>]',
      min: 0,
      max: 1,
      toCommand: (agentId) => ({ name: 'agent', agentId }),
    },
  ],
  ['/help', { usage: '/help', min: 0, max: 0, toCommand: () => ({ name: 'help' }) }],
]);

/** No command takes more than one argument, so a third word is one too many and nobody needs the rest. */
const MAX_WORDS = 3;

/** Undefined for an ordinary message, as every one is whose first word is not exactly a command, in any case. */
export function parseCommand(message: string): ChatCommand | undefined {
  const [word = '', ...args] = message.trim().split(/\s+/, MAX_WORDS);
  const form = FORMS.get(word.toLowerCase());
  if (!form) return undefined;
  return args.length < form.min || args.length > form.max
    ? { name: 'usage', usage: form.usage }
    : form.toCommand(args[0]);
}

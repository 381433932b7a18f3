import { fingerprintWorkspace } from '../../../src/core/transcripts/fingerprint-workspace.ts';
import { type ContractFailure, describeContractCommand, parseFailure } from './contract-command.ts';
import { STEADY_ROOT } from './steady.ts';
import { SESSION_ID, storeDamagedSession, storeSession } from './stored-session.ts';

const DIRECTORY = `${STEADY_ROOT}/.claw/sessions/${fingerprintWorkspace(STEADY_ROOT)}`;
const FILE = `${DIRECTORY}/${SESSION_ID}.jsonl`;

/** `what` says of each command that it did not happen. */
function notFound(what: string): ContractFailure {
  return {
    title: 'not found',
    args: ['absent'],
    fields: {
      session_id: 'absent',
      [what]: false,
      directory: DIRECTORY,
      name: 'absent',
      found: false,
    },
    error: {
      kind: 'session_not_found',
      operation: 'resolve_session',
      target: 'absent',
      retryable: false,
      message: `session 'absent' not found in ${DIRECTORY}`,
      hint: 'claw list-sessions shows the sessions there are',
    },
    legacyKind: 'session_not_found',
    textCode: 1,
  };
}

/** Whatever could lead out of the folder is refused before any path is made of it. */
function badId(what: string, id: string, problem: string): ContractFailure {
  const shown = id.slice(0, 140);
  return {
    title: `with the id ${shown.slice(0, 20)}`,
    args: [id],
    fields: { session_id: id, [what]: false, directory: DIRECTORY },
    error: {
      kind: 'usage',
      operation: 'resolve_session',
      target: shown,
      retryable: false,
      message: `session reference ${JSON.stringify(shown)} ${problem}`,
      hint: 'give an id of letters, digits, dots, dashes and underscores, or latest',
    },
    legacyKind: 'usage',
    textCode: 1,
  };
}

function damaged(what: string): ContractFailure {
  return {
    title: 'damaged',
    args: [SESSION_ID],
    prepare: storeDamagedSession,
    fields: { session_id: SESSION_ID, [what]: false, directory: DIRECTORY },
    error: {
      kind: 'session_load_failed',
      operation: 'load_session',
      target: FILE,
      retryable: true,
      message: `session '${SESSION_ID}' can't be read: line 2: it is not valid JSON`,
      hint: `look at line 2 of ${FILE}`,
    },
    legacyKind: 'session_load_failed',
    textCode: 1,
  };
}

describeContractCommand({
  command: 'list-sessions',
  prepare: storeSession,
  success: { args: [], text: `${SESSION_ID}\n` },
  failures: [
    parseFailure('with a limit of 0', ['--limit', '0'], {
      target: 'list-sessions',
      message: 'option --limit must be a whole number from 1 to 1000 (it is "0")',
    }),
    parseFailure('with a typing mistake', ['--limti=3'], {
      target: 'list-sessions',
      message: 'unknown option --limti',
      hint: 'did you mean --limit?',
    }),
  ],
});

describeContractCommand({
  command: 'load-session',
  prepare: storeSession,
  success: { args: ['latest'], text: `${SESSION_ID}\n2 messages\nin=12 out=3\n` },
  failures: [
    notFound('loaded'),
    damaged('loaded'),
    badId('loaded', '../../../etc/passwd', `leaves ${DIRECTORY}`),
    badId('loaded', 'x'.repeat(300), 'is not an id'),
    parseFailure('without a session', [], {
      target: 'load-session',
      message: 'argument SESSION is missing',
      hint: 'usage: claw load-session SESSION [--directory DIR]',
    }),
  ],
});

describeContractCommand({
  command: 'delete-session',
  prepare: storeSession,
  success: { args: [SESSION_ID], text: `deleted: ${SESSION_ID}\n` },
  failures: [
    notFound('deleted'),
    badId('deleted', '..', 'is not an id'),
    badId('deleted', 'a/b', 'is not an id'),
    badId('deleted', 'x'.repeat(300), 'is not an id'),
    parseFailure('with two sessions', ['a', 'b'], {
      target: 'delete-session',
      message: 'unexpected argument "b"',
      hint: 'usage: claw delete-session SESSION [--directory DIR]',
    }),
  ],
});

describeContractCommand({
  command: 'flush-transcript',
  prepare: storeSession,
  success: { args: [SESSION_ID], text: `${FILE}\nflushed=True\n` },
  failures: [
    notFound('flushed'),
    damaged('flushed'),
    parseFailure('without a session', [], {
      target: 'flush-transcript',
      message: 'argument SESSION is missing',
      hint: 'usage: claw flush-transcript [SESSION | --prompt TEXT [--session-id ID]]',
    }),
  ],
});

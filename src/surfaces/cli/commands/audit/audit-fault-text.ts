import type { AuditFault } from '../../../../core/records/verify-audit.ts';

export function describeFault(fault: AuditFault): string {
  const { where, runId, seq, reason, file, line, through } = fault;
  const written = file === undefined ? 'the audit files' : `${file}:${line}`;
  const place = where === 'both' ? `in the database and ${written}` : PLACES[where](written);
  const event = seq === undefined ? 'a line' : `event ${seq} of ${runId ?? 'an unknown run'}`;
  const lines = through === undefined || through === line ? event : `lines to ${through}`;
  const meaning = MEANINGS[reason];
  return `${lines} ${place}: ${reason}${meaning === undefined ? '' : ` (${meaning})`}`;
}

const PLACES = {
  database: () => 'in the database',
  audit_file: (written: string) => `in ${written}`,
};

/** What signatures tell; the others are explained by their names. */
const MEANINGS: Readonly<Record<string, string>> = {
  altered_lines: 'not the lines that were signed',
  missing_lines: 'fewer lines than were signed',
  added_lines: 'more lines than were signed',
  bad_signature: 'this head was changed',
  other_key: 'signed by another installation, or with a key that was not given',
  missing_head: 'lines and their heads are gone before this',
  missing_beginning: 'the beginning of the file is gone',
  wrong_total: 'the count of lines does not go on from the one before',
  unsigned_end: 'nothing signs these lines: the file was cut, or is still being written',
  unsigned_file: 'it follows signed files and is not signed',
  unsigned: 'nothing in these files is signed',
  cut_off: 'it went further once: its end was cut off, or an older copy put back',
  missing_file: 'the file before or after this one is not there',
  duplicate_file: 'this file was there before',
  out_of_order: 'it is older than the file before it',
  empty_file: 'nothing is in it',
};

const HINTS: Readonly<Record<string, string>> = {
  other_key: 'claw audit key, on the node that wrote the files, prints the key to give with --key',
  missing_file: 'give all files of the agent; if you were handed only some days, say --part',
  out_of_order: 'give the files in the order of their days',
  duplicate_file: 'give each file once',
  unsigned_end:
    'a server signs within half a minute, when it stops, and after a crash with its next line: copy the file after that',
};

export function hintFor({ reason }: AuditFault): string {
  return (
    HINTS[reason] ?? 'compare with a backup; what comes before the first altered event is intact'
  );
}

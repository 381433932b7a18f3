import { resolve } from 'node:path';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import {
  countFiles,
  describeRecords,
  encodeBackedUp,
  formatBytes,
  reportStages,
} from './backup-text.ts';

export const restore = defineCommand({
  usage: 'FILE [--replace] [--sha256 HASH] [--accept-faults]',
  description:
    'Unpacks the backup beside the state root, verifies every file, the database and its records, and only then puts all of\n' +
    'it in place: an error, Ctrl-C or a crash before leaves everything as it was, and after one the same command goes on.\n' +
    'The server has to be stopped. A state root that is not empty is refused; --replace moves aside what is in the way.',
  args: { min: 1, max: 1 },
  options: {
    replace: { kind: 'flag', summary: 'move aside what is in the way, and keep it' },
    sha256: { kind: 'text', value: 'HASH', summary: 'refuse any file but the one with this hash' },
    'accept-faults': { kind: 'flag', summary: 'take records that do not agree as they are' },
  },
  examples: [
    'claw restore /mnt/backups/pincer.backup --root ~/restored',
    'claw restore ../pincer.backup --replace',
  ],
  handlesInterrupt: true,
  namesRoot: true,
  async run({ args: [given = ''], options }, { root, parts, live, signal }) {
    const { replace, sha256 } = options;
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) {
      throw parseError('--sha256 takes 64 hexadecimal digits', { target: 'restore' });
    }
    const file = resolve(given);
    const acceptFaults = options['accept-faults'];
    const work = { root, file, signal, ...reportStages(live) };
    return { file, report: await parts.restore({ ...work, replace, sha256, acceptFaults }) };
  },
  fields: ({ file, report: { header, audit, files, bytes, sha256, root, kept } }) => ({
    ...encodeBackedUp(header, audit),
    ...{ root, file, bytes, sha256, files_count: files, kept: [...kept] },
  }),
  text: ({ report: { header, audit, files, bytes, root, kept } }, style) =>
    [
      `${style.green('restored')}: ${root}, as it was at ${header.created_at}`,
      `${countFiles(files)}, ${describeRecords(audit)}, ${formatBytes(bytes)}`,
      ...kept.map((path) => `kept aside: ${path}`),
      ...(header.has_secrets ? [] : ['It holds no keys: set secrets again with claw secrets set.']),
      ...(header.engine === 'postgres' ? ['Restore the database with pg_restore or psql.'] : []),
      'Next: claw serve',
    ].join('\n'),
});

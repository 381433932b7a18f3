import { resolve } from 'node:path';
import { defineCommand } from '../../program/command.ts';
import {
  countFiles,
  describeRecords,
  encodeBackedUp,
  formatBytes,
  reportStages,
} from './backup-text.ts';

const MAX_SHOWN = 20;

export const backup = defineCommand({
  usage: 'FILE [--workspace] [--without-secrets] [--overwrite] [--files-only]',
  description:
    'Database, configuration, secrets, agents, souls, transcripts, audit files and bundles in one file, also beside a running\n' +
    'server: what was acknowledged before it began is in it. The file is read back and verified before it gets its name. It\n' +
    'holds the master key with the secrets it opens: keep it as you keep the key, or leave both out with --without-secrets.\n' +
    'With PostgreSQL pg_dump makes the backup of the database; --files-only makes that of the rest, which comes first.',
  args: { min: 1, max: 1 },
  options: {
    workspace: { kind: 'flag', summary: 'also the files of the workspace' },
    'without-secrets': {
      kind: 'flag',
      summary: 'without master key, secrets, tokens and the keys in the configuration',
    },
    overwrite: { kind: 'flag', summary: 'replace FILE, once the new one is verified' },
    'files-only': { kind: 'flag', summary: 'without the database, where that is PostgreSQL' },
  },
  examples: [
    'claw backup /mnt/backups/pincer.backup',
    'claw backup ../pincer.backup --workspace --overwrite',
    'claw backup ../to-share.backup --without-secrets',
  ],
  handlesInterrupt: true,
  run: ({ args: [file = ''], options }, { root, parts, live, signal }) =>
    parts.backUp({
      ...{ root, file: resolve(file), signal, ...reportStages(live) },
      withWorkspace: options.workspace,
      withSecrets: !options['without-secrets'],
      filesOnly: options['files-only'],
      overwrite: options.overwrite,
    }),
  fields: ({ header, audit, files, bytes, sha256, file, leftOut }) => ({
    ...encodeBackedUp(header, audit),
    ...{ file, bytes, sha256, files_count: files },
    left_out_count: leftOut.length,
    left_out: leftOut.slice(0, MAX_SHOWN),
  }),
  text: ({ header, audit, files, bytes, sha256, file, leftOut }, style) =>
    [
      `${style.green('written and verified')}: ${file}`,
      `${countFiles(files)}, ${describeRecords(audit)}, ${formatBytes(bytes)}`,
      `sha256 ${sha256}`,
      header.has_secrets
        ? 'It holds the master key and the secrets: keep it where nobody else can read it.'
        : 'It holds no keys: after a restore secrets and tokens have to be set again.',
      ...leftOut.slice(0, MAX_SHOWN).map((path) => `left out: ${path}`),
    ].join('\n'),
  failure({ audit, file }) {
    if (audit === undefined || audit.faults === 0) return undefined;
    return {
      exitCode: 1,
      error: {
        kind: 'runtime',
        operation: 'backup',
        target: file,
        retryable: false,
        message: `the backup is written, and its records have ${audit.faults} faults, as the installation has`,
        hint: 'claw audit verify says which',
      },
    };
  },
});

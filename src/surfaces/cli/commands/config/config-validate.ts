import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';

export const configValidate = defineCommand({
  usage: '[FILE]',
  description:
    'Everything that would keep a server from starting with it, by field, each with a fix. Without FILE the\n' +
    'configuration of the state root, together with what the environment says. Exit code 1 when something is wrong.',
  args: { min: 0, max: 1 },
  options: {},
  examples: ['claw config validate', 'claw config validate new-config.json'],
  async run({ args: [file] }, { parts, root }) {
    if (file === '' || file?.includes('\0') === true) {
      throw parseError(`${JSON.stringify(file)} is not the path of a file`, {
        target: 'config validate',
      });
    }
    return parts.checkConfig({ root, file });
  },
  fields: ({ file, isThere, problems }) => ({
    file,
    exists: isThere,
    valid: problems.length === 0,
    field_errors: problems.map(({ path, message }) => ({ path, message })),
  }),
  text({ file, isThere, problems }, style) {
    if (problems.length > 0) {
      return problems
        .map(({ path, message }) => `${path === '' ? file : path}: ${message}`)
        .join('\n');
    }
    return isThere
      ? `${style.green('ok')}: ${file}`
      : `${style.green('ok')}: there is no ${file}; the defaults hold`;
  },
  failure({ file, problems }) {
    if (problems.length === 0) return undefined;
    return {
      exitCode: 1,
      error: {
        kind: 'usage',
        operation: 'validate_config',
        target: file,
        retryable: false,
        message: `${problems.length} ${problems.length === 1 ? 'field is' : 'fields are'} not valid`,
        hint: 'docs/configuration.md lists every field',
      },
    };
  },
});

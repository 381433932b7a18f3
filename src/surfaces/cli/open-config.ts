import type { ConfigEditor, FieldProblem } from '../../core/config-editor.ts';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { encodeConfigSaved } from '../http/runtime-codec.ts';
import type { ConfigAccess } from './config-access.ts';
import type { CliContext } from './context.ts';
import { createWarn, type Ways } from './open-access.ts';

/** Through the running server, which applies what it can at once, else on the file. */
export const CONFIG: Ways<ConfigAccess> = {
  async remote(options) {
    const { createRemoteConfig } = await import('./remote/remote-config.ts');
    return refusing(createRemoteConfig(options));
  },
  local: async (context) => ({ access: refusing(createLocal(context)), close: async () => {} }),
};

function createLocal(context: CliContext): ConfigAccess {
  const { parts, root } = context;
  const open = () => parts.openConfig({ root, warn: createWarn(context) });
  return {
    read: async () => (await open()).read(),
    async patch(change) {
      const { isThere } = await parts.checkConfig({ root, file: undefined });
      if (!isThere) {
        await assertValid(await open(), change);
        await parts.prepareRoot(root);
      }
      const {
        applied,
        restart_required: later,
        ...saved
      } = encodeConfigSaved(await (await open()).patch(change));
      // Nobody is running with the old values: whoever starts next has all of the new ones.
      return { ...saved, applied: [...applied, ...later].sort(), restart_required: [] };
    },
  };
}

/** Asked before a state root is created: a slip must not leave one behind. */
async function assertValid(editor: ConfigEditor, change: JsonObject): Promise<void> {
  const problems = await editor.validate(withoutRemovals(change));
  if (problems.length > 0) throw configRefused(problems);
}

function withoutRemovals(change: JsonObject): JsonObject {
  const kept = Object.entries(change).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isJsonObject(value) ? withoutRemovals(value) : value]),
  );
}

/** Field errors say more than the message they come with, and are the same from everywhere. */
function refusing(access: ConfigAccess): ConfigAccess {
  return {
    read: () => access.read(),
    async patch(change) {
      try {
        return await access.patch(change);
      } catch (error) {
        const problems = error instanceof RuntimeError ? findProblems(error) : [];
        throw problems.length === 0 ? error : configRefused(problems, error);
      }
    },
  };
}

const FIX = '; to fix: ';

export function configRefused(problems: readonly FieldProblem[], cause?: unknown): RuntimeError {
  const [first, ...rest] = problems;
  const { path = '', message = 'is invalid' } = first ?? {};
  const [problem = '', hint] = message.split(FIX, 2);
  const more =
    rest.length === 0 ? '' : ` (${rest.length} more: ${rest.map((one) => one.path).join(', ')})`;
  return new RuntimeError('config_invalid', `${path || 'the configuration'} ${problem}${more}`, {
    cause,
    details: { target: path, hint },
  });
}

function findProblems({ details }: RuntimeError): FieldProblem[] {
  const errors = details?.['field_errors'];
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((one: unknown) => {
    if (!isJsonObject(one)) return [];
    const { path, message } = one;
    return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
  });
}

import type { ConfigEditor, ConfigSaved } from '../../../core/config-editor.ts';
import type { JsonObject } from '../../../core/json.ts';
import {
  type ConfigReading,
  type ConfigWriting,
  changeConfig,
  readConfig,
} from '../../../operations/config/config.ts';
import type { ConfigSavedShape } from '../../../operations/config/config-shapes.ts';
import { assertValid, explainingRefusal } from '../commands/config/config-refusal.ts';
import type { Via } from '../healthy-server.ts';
import type { CliContext } from '../program/context.ts';
import { askAt, asking } from './ask-runtime.ts';
import type { Open, Place } from './place.ts';

/** The file itself, which needs no closing. */
const onFile: Open<ConfigWriting> = async (context) => ({
  deps: { config: createFileEditor(context) },
  close: async () => {},
});

const CONFIG: Place<ConfigReading, ConfigWriting> = { read: onFile, write: onFile };

export const askConfig = askAt(CONFIG);

interface Edited<Plan> {
  readonly via: Via;
  readonly plan: Plan;
  readonly saved: ConfigSavedShape;
}

/**
 * Changes what there is. Through the running server, which applies what it can at once, else on the file. Throws
 * `config_invalid` naming field and fix, and leaves the file as it was.
 */
export async function editConfig<Plan extends { readonly change: JsonObject }>(
  context: CliContext,
  toPlan: (config: JsonObject) => Plan | Promise<Plan>,
): Promise<Edited<Plan>> {
  return asking(context, CONFIG.write, async (ask, via) => {
    const plan = await toPlan(await ask(readConfig, {}));
    const saved = await explainingRefusal(ask(changeConfig, { body: { ...plan.change } }));
    return { via, plan, saved };
  });
}

/** Opened for each piece of work: the first change creates the state root, and with it the file. */
function createFileEditor({ parts, root, live }: CliContext): ConfigWriting['config'] {
  const open = () => parts.openConfig({ root, warn: live.warn });
  async function save(change: JsonObject, work: (editor: ConfigEditor) => Promise<ConfigSaved>) {
    const { isThere } = await parts.checkConfig({ root, file: undefined });
    if (!isThere) {
      await assertValid(await open(), change);
      await parts.prepareRoot(root);
    }
    const { applied, restartRequired, overridden } = await work(await open());
    // Nobody is running with the old values: whoever starts next has all of the new ones.
    return { applied: [...applied, ...restartRequired].sort(), restartRequired: [], overridden };
  }
  return {
    read: async () => (await open()).read(),
    describe: async () => (await open()).describe(),
    validate: async (document) => (await open()).validate(document),
    replace: (document) => save(document, (editor) => editor.replace(document)),
    patch: (change) => save(change, (editor) => editor.patch(change)),
  };
}

import type { JsonObject } from '../../core/json.ts';
import type { ConfigSavedShape } from '../http/runtime-shapes.ts';

/** The configuration file, through whoever has it in force. */
export interface ConfigAccess {
  /** With the defaults filled in and secrets left out. */
  read(): Promise<JsonObject>;
  /** A merge patch. Throws `config_invalid` naming field and fix, and leaves the file as it was. */
  patch(change: JsonObject): Promise<ConfigSavedShape>;
}

import type { JsonObject, JsonValue } from './json.ts';

/** Reading and changing the configuration file while the runtime is running. */
export interface ConfigEditor {
  /** The file merged with the defaults, without secrets: what `replace` accepts again. */
  read(): Promise<JsonObject>;
  /** What there is to set, for whoever makes a form of it. */
  describe(): Promise<ConfigDescription>;
  /** What is wrong with a document that `replace` would be given; empty when it is fine. */
  validate(document: JsonObject): Promise<readonly FieldProblem[]>;
  /**
   * Fields in the document replace those of the file, others stay; maps and lists are replaced whole. A secret that
   * is left out or blank keeps its stored value. Throws `config_invalid` with `details.field_errors` and leaves the
   * file as it was. Throws `conflict` when the file on disk is not valid, or while another process changes it.
   */
  replace(document: JsonObject): Promise<ConfigSaved>;
  /** A JSON merge patch (RFC 7396): null removes a field, so that its default holds again. Throws as `replace` does. */
  patch(change: JsonObject): Promise<ConfigSaved>;
  /** The same for a change that depends on what the file holds: nobody writes it between looking and saving. */
  amend(toChange: (stored: JsonObject) => JsonObject): Promise<ConfigSaved>;
}

export interface FieldProblem {
  /** `server.port` */
  readonly path: string;
  readonly message: string;
}

/** Fields by their path, sorted. */
export interface ConfigSaved {
  /** Changed and in force now. */
  readonly applied: readonly string[];
  /** Changed in the file and in force after the next start. */
  readonly restartRequired: readonly string[];
  /** Changed in the file, but an environment variable or a flag holds another value. */
  readonly overridden: readonly string[];
}

export interface ConfigDescription {
  /** JSON Schema of the document, with descriptions, defaults and bounds. */
  readonly schema: JsonObject;
  /** In the order of the schema. */
  readonly fields: readonly ConfigField[];
  /** Fields whose value in the file waits for a restart, sorted. */
  readonly pending: readonly string[];
}

export interface ConfigField {
  /** `server.port`; `prices.<provider/name>.input_per_million` in a map, `policy.rules[].tool` in a list. */
  readonly path: string;
  readonly description: string;
  /** Undefined where a field stays unset. */
  readonly defaultValue: JsonValue | undefined;
  readonly needsRestart: boolean;
  /** Can be set and is never shown. */
  readonly isSecret: boolean;
  /** The environment variable that says otherwise when it is set. */
  readonly variable: string | undefined;
  /** A variable or a flag does say otherwise: what the file holds does not count. */
  readonly isOverridden: boolean;
}

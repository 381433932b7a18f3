/** A path and what commands may do with it. Later ones lie on top of earlier ones. */
export interface Mount {
  readonly path: string;
  readonly access: 'write' | 'read' | 'emptied' | 'hidden_directory' | 'hidden_file';
}

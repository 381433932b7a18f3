export interface SseFrame {
  /** Absent where a reader can't come back to a place. */
  readonly id?: number;
  readonly event: string;
  /** One line: JSON text or a word. */
  readonly data: string;
}

export function encodeSseFrame(frame: SseFrame): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`;
  return `${id}event: ${frame.event}\ndata: ${frame.data}\n\n`;
}

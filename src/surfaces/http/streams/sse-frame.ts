export interface SseFrame {
  /** Absent where a reader can't come back to a place. */
  readonly id?: number;
  /** Absent where all events of a stream are of one kind. */
  readonly event?: string;
  /** One line: JSON text or a word. */
  readonly data: string;
}

export function encodeSseFrame(frame: SseFrame): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`;
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`;
  return `${id}${event}data: ${frame.data}\n\n`;
}

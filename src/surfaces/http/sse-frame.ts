export interface SseFrame {
  readonly id: number;
  readonly event: string;
  /** One line: JSON text or a word. */
  readonly data: string;
}

export function encodeSseFrame(frame: SseFrame): string {
  return `id: ${frame.id}\nevent: ${frame.event}\ndata: ${frame.data}\n\n`;
}

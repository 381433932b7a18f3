/** A body as it comes. Not every browser can iterate over one. `onBytes` hears of heartbeats too, which are no frames. */
export async function* readBytes(
  { body }: Response,
  onBytes: () => void = () => {},
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

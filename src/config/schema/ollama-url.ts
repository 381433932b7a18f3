const OLLAMA_PORT = 11_434;

/**
 * `OLLAMA_HOST` as Ollama itself reads it: scheme and port may be missing, and the addresses a server listens on
 * everywhere with are taken as this machine. What can't be a host is returned as it is, for the schema to refuse.
 */
export function toOllamaUrl(text: string): string {
  const hasScheme = /^https?:\/\//i.test(text);
  const url = hasScheme ? text : `http://${text}`;
  if (!URL.canParse(url)) return text;
  const parsed = new URL(url);
  if (parsed.hostname === '0.0.0.0') parsed.hostname = '127.0.0.1';
  if (parsed.hostname === '[::]') parsed.hostname = '[::1]';
  // With a scheme and no port Ollama means 80 or 443, and so does the URL.
  if (!hasScheme && parsed.port === '' && !/:80(\/|$)/.test(text))
    parsed.port = String(OLLAMA_PORT);
  return parsed.href.replace(/\/+$/, '');
}

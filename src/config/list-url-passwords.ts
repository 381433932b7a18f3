/** The password as it stands in the URL and as it is sent; none when there is none. */
export function listUrlPasswords(url: string): string[] {
  const { password } = new URL(url);
  if (password === '') return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

/** `./a//b/../c` is `a/c`: another spelling of a path must not walk around a rule. */
export function plainPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  const root = path.startsWith('/') ? '/' : '';
  return `${root}${names.join('/')}${names.length > 0 && path.endsWith('/') ? '/' : ''}`;
}

export function versionLine(version: string): string {
  return `claw ${version}`;
}

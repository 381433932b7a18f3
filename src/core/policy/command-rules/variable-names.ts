/** Variables that change how programs speak, not what they run. */
const HARMLESS = new Set(
  [
    'CI CLICOLOR COLUMNS DEBUG FORCE_COLOR GOARCH GOOS LANG LANGUAGE LINES NODE_ENV NO_COLOR',
    'PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE RUST_BACKTRACE RUST_LOG SOURCE_DATE_EPOCH TERM TZ',
  ]
    .join(' ')
    .split(' '),
);

/**
 * Whether programs may be given this variable. Names are allowed and not forbidden: too many (PATH, LD_PRELOAD,
 * BASH_ENV, GIT_SSH_COMMAND, NODE_OPTIONS, PAGER, …) make an allowed program run another one.
 */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.has(name) || /^LC_[A-Z]+$/.test(name);
}

/** Whether the shell may set it for itself: by custom, names in small letters mean something to the script alone. */
export function isScriptVariable(name: string): boolean {
  return isHarmlessVariable(name) || /^[a-z][a-z0-9_]*$/.test(name);
}

import type { BridgeStatusShape } from '../../operations/openclaw/bridge-shapes.ts';
import { formatDate, formatFacts } from './print/layout.ts';
import { toOneLine } from './print/plain-text.ts';
import type { Style } from './print/style.ts';

const MAX_TEXT_CHARS = 400;

export function formatBridge(bridge: BridgeStatusShape, style: Style): string {
  if (bridge.state === 'off') {
    return `openclaw is ${style.yellow('off')}: set OPENCLAW_WS_URL, or openclaw.url, and start again`;
  }
  const { gateway, last_error: error } = bridge;
  return formatFacts(
    [
      ['openclaw', paintState(bridge.state, style)],
      ['url', toOneLine(bridge.url ?? '', MAX_TEXT_CHARS)],
      ['dialect', bridge.dialect ?? ''],
      ...(bridge.device_id === null ? [] : [['device', bridge.device_id] as const]),
      ...(gateway?.version
        ? [['gateway', toOneLine(gateway.version, MAX_TEXT_CHARS)] as const]
        : []),
      ...(bridge.connected_at === null
        ? []
        : [['since', formatDate(bridge.connected_at)] as const]),
      ['runs', `${bridge.open_runs} open`],
      ...(bridge.next_attempt_at === null
        ? []
        : [['next try', formatDate(bridge.next_attempt_at)] as const]),
      ...(error === null
        ? []
        : [
            [
              'error',
              style.red(toOneLine(`${error.code}: ${error.message}`, MAX_TEXT_CHARS)),
            ] as const,
            ['to fix', toOneLine(error.action, MAX_TEXT_CHARS)] as const,
          ]),
    ],
    style,
  );
}

function paintState(state: BridgeStatusShape['state'], style: Style): string {
  switch (state) {
    case 'connected':
      return style.green(state);
    case 'refused':
    case 'given_up':
      return style.red(state);
    default:
      return style.yellow(state);
  }
}

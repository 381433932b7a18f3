import { TOOL_PINS } from '../../core/tools/stored-pins.ts';
import { table } from './table.ts';

export const TOOL_PIN_TABLE = table(TOOL_PINS, { server: 'text', tool: 'text', pin: 'json' });

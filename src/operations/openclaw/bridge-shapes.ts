import { z } from 'zod';
import { BRIDGE_DIALECTS, BRIDGE_STATES } from '../../core/openclaw/bridge.ts';
import { isoDate } from '../fields.ts';

/** The bridge to an OpenClaw gateway, as `/api/admin` shows it. */
export const bridgeStatus = z
  .object({
    state: z.enum(BRIDGE_STATES).meta({
      description:
        '`off`: no gateway is configured. `refused`: it does not let us in, and is not tried again by itself.',
    }),
    url: z.string().nullable(),
    dialect: z.enum(BRIDGE_DIALECTS).nullable(),
    device_id: z
      .string()
      .nullable()
      .meta({ description: 'Under which the gateway knows this installation.' }),
    gateway: z
      .object({
        version: z.string().nullable(),
        protocol: z.number().nullable(),
        scopes: z.array(z.string()),
      })
      .nullable()
      .meta({ description: 'While connected.' }),
    connected_at: isoDate.nullable(),
    failures: z.int().meta({ description: 'In a row.' }),
    next_attempt_at: isoDate.nullable(),
    last_error: z
      .object({ code: z.string(), message: z.string(), action: z.string(), at: isoDate })
      .nullable(),
    open_runs: z.int(),
    unclaimed_events: z
      .int()
      .meta({ description: 'What the gateway sent that belongs to no run here.' }),
  })
  .meta({ id: 'OpenClawBridge' });

export const connectBody = z.strictObject({}).nullable();

export type BridgeStatusShape = z.infer<typeof bridgeStatus>;

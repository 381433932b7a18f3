import * as z from 'zod';

const sats = z.int().min(0);

/** What using a tool or a skill costs, as its author declares it. */
export const commercial = z.looseObject({
  pricing_model: z.enum(['free', 'fixed_per_call', 'metered', 'subscription']),
  currency: z.literal('BTC_SATS'),
  settlement_mode: z.enum(['prepaid', 'postpaid_authorized']).optional(),
  max_per_call_sats: sats.optional(),
  max_daily_sats: sats.optional(),
  max_monthly_sats: sats.optional(),
});

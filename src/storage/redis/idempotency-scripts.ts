import { createScript } from './script.ts';

/**
 * The server's clock, unless a test passes the time. Numbers are written by hand: Lua would print large ones with an
 * exponent. A record beyond its time counts as absent, whether the server has dropped it yet or not.
 */
const PRELUDE = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end
local function load(key)
  local fields = redis.call('HGETALL', key)
  local record = {}
  for i = 1, #fields, 2 do record[fields[i]] = fields[i + 1] end
  if tonumber(record.expiresAtMs or '0') <= now then return nil end
  return record, fields
end
local function owned(key, claimId)
  local record = load(key)
  return record and record.claimId == claimId and record.state == 'PENDING' and record
end
`;

/** ARGV: now, claimId, digest, toolId, key, leaseMs, ttlMs, mayTakeOver. */
export const CLAIM = createScript(`${PRELUDE}
local record, fields = load(KEYS[1])
if record then
  if record.digest ~= ARGV[3] then return {'conflict', fields} end
  if record.state ~= 'PENDING' then return {'settled', fields} end
  -- A claim whose answer got lost is still the caller's, who needs a lease with it.
  local own = record.claimId == ARGV[2]
  if tonumber(record.leaseUntilMs) > now then
    if own then return {'claimed'} end
    return {'running', fields}
  end
  if not own and ARGV[8] ~= '1' then return {'abandoned', fields} end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1],
  'state', 'PENDING', 'claimId', ARGV[2], 'digest', ARGV[3], 'toolId', ARGV[4], 'key', ARGV[5],
  'version', record and text(record.version + 1) or '1',
  'createdAtMs', record and record.createdAtMs or text(now), 'updatedAtMs', text(now),
  'leaseUntilMs', text(now + ARGV[6]), 'expiresAtMs', text(now + ARGV[7]))
redis.call('PEXPIRE', KEYS[1], ARGV[7])
return {'claimed'}
`);

/** ARGV: now, claimId, leaseMs. */
export const RENEW = createScript(`${PRELUDE}
local record = owned(KEYS[1], ARGV[2])
if not record then return 0 end
redis.call('HSET', KEYS[1],
  'version', text(record.version + 1), 'updatedAtMs', text(now), 'leaseUntilMs', text(now + ARGV[3]))
return 1
`);

/** ARGV: now, claimId, ttlMs, then fields and values. */
export const SETTLE = createScript(`${PRELUDE}
local record = owned(KEYS[1], ARGV[2])
if not record then return 0 end
redis.call('HSET', KEYS[1],
  'version', text(record.version + 1), 'updatedAtMs', text(now), 'expiresAtMs', text(now + ARGV[3]))
for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);

/** ARGV: now, claimId. */
export const RELEASE = createScript(`${PRELUDE}
if not owned(KEYS[1], ARGV[2]) then return 0 end
return redis.call('DEL', KEYS[1])
`);

/** ARGV: now. Any number of keys; an empty answer stands for an absent record. */
export const FIND = createScript(`${PRELUDE}
local found = {}
for i, key in ipairs(KEYS) do
  local record, fields = load(key)
  found[i] = record and fields or {}
end
return found
`);

/** ARGV: now. Answers how many of the records were there. */
export const DROP = createScript(`${PRELUDE}
local dropped = 0
for _, key in ipairs(KEYS) do
  if load(key) then dropped = dropped + 1 end
  redis.call('DEL', key)
end
return dropped
`);

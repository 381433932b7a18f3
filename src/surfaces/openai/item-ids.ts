/** What ids begin with on the wire; behind it stands the place in the log. */
export const RESPONSE = 'resp_';
export const MESSAGE_ITEM = 'msg_';
export const CALL_ITEM = 'fc_';

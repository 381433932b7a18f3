/** Who settles what comes in here. There is one token, so nothing more is known about whoever holds it. */
export const OPERATOR = 'operator';

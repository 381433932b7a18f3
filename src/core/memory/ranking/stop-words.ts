/** English words that say nothing about what a text is about. They are found when nothing else is asked for. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can could did do does doing don done down during each etc even ever every few for from further get gets getting
  go goes going gone got had has have having he her here hers herself him himself his how i if in into is it its itself
  just let like ll lot make me might more most much must my myself no nor not now of off on once one only onto or other
  our ours ourselves out over own re really s same say says she should so some such t than that the their theirs them
  themselves then there these they thing things this those through to too under until up upon us ve very was way we well
  were what when where which while who whom whose why will with would yes yet you your yours yourself yourselves d m o
  ain aren couldn didn doesn hadn hasn haven isn mightn mustn needn shan shouldn wasn weren won wouldn im ive id
  said tell told`
    .trim()
    .split(/\s+/),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

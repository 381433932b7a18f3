/** What reaches a run in hand from outside its loop: that it has to stop, and that somebody has written to it. */
export class RunControl extends AbortController {
  /** Stays: whoever was written to once looks before every turn. Everybody else's turns cost no look. */
  hasMail = false;
}

/** What Bellbird is, for anyone who comes by. */
export const ABOUT =
  'Bellbird shows which ASX stocks gap up before the open and move during the day, in tables that change as they trade. ' +
  'Post a trade idea as a call, and its result is worked out from the trades that follow.';

import { appendFileSync, readFileSync } from 'node:fs';

/**
 * Runs inside the server that is measured, which loads it before its own code (`--preload`): every two milliseconds it looks
 * how long the event loop was held since it looked last, and writes down what is longer than a few milliseconds, with its
 * moment. That is the time for which the scheduler ran the loop's thread: on a busy machine every process waits for a processor,
 * which does not hold the loop longer. The scheduler may count it with the next of its ticks, 4 ms later, so it is never taken for
 * more than what passed by the clock without such waiting.
 */
const EVERY_MS = 2;
const AT_LEAST_MS = 5;

const file = `${process.env['BENCH_LOOP_FOLDER'] ?? ''}/${process.pid}`;
appendFileSync(file, '');

/** All in ms. */
function look() {
  // Of the process' first thread, in ns: for how long it ran, and for how long it waited for a processor.
  const [ran = 0, waited = 0] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
  return { ran: ran / 1e6, waited: waited / 1e6, at: performance.now() };
}
let before = look();

setInterval(() => {
  const now = look();
  const passed = now.at - before.at - (now.waited - before.waited);
  const held = Math.min(now.ran - before.ran, passed - EVERY_MS);
  if (held >= AT_LEAST_MS)
    appendFileSync(file, `${(performance.timeOrigin + now.at).toFixed(1)} ${held.toFixed(2)}\n`);
  before = look();
}, EVERY_MS).unref();

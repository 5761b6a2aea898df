import { textPdf, bombPdf } from '#support/pdf.ts';
import { summaryStage } from '#support/summaryStage.ts';
import { startSummaryServer } from '#support/summaryServer.ts';
import { percentile, type Row } from './row.ts';

const SUMMARY = 'Iron ore production rose 8 % to 64.2 million tonnes in the quarter, and guidance is kept.';
const DOCUMENTS = 20;
/** A reading of a whole document is a process of its own; the server itself only carries its bytes. */
const SERVER_LIMIT_MS = 30;
const HEALTH_REQUESTS = 400;
/** That of a document that takes all the processor time of a core. */
const HEALTH_LIMIT_MS = 50;

/** The way of a summary without the model, and what a hostile document does to everybody else. */
export async function run(): Promise<Row[]> {
  return [await path(), await besideHostile()];
}

const LINE =
  'Production of iron ore rose to 64.2 million tonnes in the quarter, 8 % more than in the one before.';

/** Documents of 12 pages and 48 kB of text one after the other; the model answers at once. */
async function path(): Promise<Row> {
  const stage = await summaryStage();
  stage.model.say(SUMMARY);
  const pdf = textPdf(...Array.from({ length: 12 }, () => Array.from({ length: 40 }, () => LINE)));
  stage.documents.answers.set('/a.pdf', () => new Response(pdf));
  const taken: number[] = [];
  let cpu = 0;
  for (let at = 0; at < DOCUMENTS; at += 1) {
    stage.release({ document: `${stage.documents.url}/a.pdf` });
    const before = process.cpuUsage();
    const started = performance.now();
    const answer = await stage.summarise('admin');
    if (answer.status !== 200) throw new Error(answer.text);
    while (stage.test.parts.summaries.service.figures().running !== null) await Bun.sleep(5);
    if (stage.day()?.summary !== SUMMARY) throw new Error('There is no summary.');
    taken.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    cpu += (user + system) / 1000;
    stage.clock.advance(5000);
  }
  await stage.close();
  const mean = cpu / DOCUMENTS;
  return {
    what: 'Summary without the model: document fetched, text of 12 pages taken out by a process of its own, stored, in the record; processor time of the server and its local servers',
    measured: `${mean.toFixed(1)} ms each; ${percentile(taken, 0.5).toFixed(0)} ms from the request to the record (worst ${Math.max(...taken).toFixed(0)} ms)`,
    target: `≤ ${SERVER_LIMIT_MS} ms`,
    ok: mean <= SERVER_LIMIT_MS,
  };
}

async function healthTimes(url: string): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < HEALTH_REQUESTS; at += 1) {
    const started = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    taken.push(performance.now() - started);
    await Bun.sleep(10);
  }
  return taken;
}

/** The built executable answers its health check while it has a document read that does not end by itself. */
async function besideHostile(): Promise<Row> {
  const server = await startSummaryServer({ BHP: bombPdf(50) });
  try {
    server.model.say(SUMMARY);
    const idle = await healthTimes(server.url);
    const reading = server.run('BHP');
    // Until its process has begun.
    await Bun.sleep(1000);
    const busy = await healthTimes(server.url);
    const sent = await reading;
    if (!sent.includes('There are only headlines')) throw new Error('The hostile document was read.');
    const [p50, p99] = [percentile(busy, 0.5), percentile(busy, 0.99)];
    const before = `${percentile(idle, 0.5).toFixed(1)} and ${percentile(idle, 0.99).toFixed(1)} ms`;
    return {
      what: 'GET /healthz of the executable while a document of 350 kB that unfolds to 50 MB of commands is read, p50 and p99',
      measured: `${p50.toFixed(1)} and ${p99.toFixed(1)} ms (before: ${before}); its process is ended after 15 s of processor time`,
      target: `p99 ≤ ${HEALTH_LIMIT_MS} ms`,
      ok: p99 <= HEALTH_LIMIT_MS,
    };
  } finally {
    await server.stop();
  }
}

import { beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { announcementSummaries } from '#src/tables/marketSchema.ts';
import { modelUse } from '#src/tables/userSchema.ts';
import { createDocumentReader } from '#subjects/announcements/server/summaries/write.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import type { ModelReply } from '#support/fakeModel.ts';
import { textPdf } from '#support/pdf.ts';
import { summaryFixture } from '#support/summaryFixture.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { eachTest } from '#support/eachTest.ts';

const SUMMARY = 'Iron ore production rose 8 % to 64.2 million tonnes in the quarter, and guidance is kept.';
const HEADLINES = 'Based on the headlines only:';

const newFolder = tempFolders();
const fixture = eachTest(() => summaryFixture());
beforeEach(async () => fixture.model.reply(SUMMARY));

const uses = () => fixture.test.db.select().from(modelUse).all();
const kept = () => fixture.test.db.select().from(announcementSummaries).all();

describe('a failed run notifies the waiting users, stores nothing, and does not count for the day', () => {
  const cases: [string, ModelReply | string, string][] = [
    [
      'that is cut off',
      { kind: 'cut', text: SUMMARY },
      'The model server closed the connection before its answer was complete. Try again later.',
    ],
    [
      'at its length limit',
      { kind: 'text', text: SUMMARY, finish: 'length' },
      'The model reached its length limit before the summary was complete. Try again later.',
    ],
    [
      'at the rate limit',
      { kind: 'status', status: 429, headers: { 'retry-after': '9' } },
      'The model server refuses further requests for now. Try again in 9 seconds.',
    ],
  ];
  test.each(cases)('%s', async (_, reply, note) => {
    fixture.model.reply(reply);
    fixture.release();
    expect((await fixture.summarise('basic')).status).toBe(200);
    expect(await fixture.settled()).toMatchObject({ summary: null, summary_of: null, summary_note: note });
    expect(kept()).toEqual([]);
    expect(uses()).toEqual([]);
  });
});

describe('an unreadable document gives the headlines and a note', () => {
  const cases: [string, () => Response | Promise<Response>, string][] = [
    ['missing', () => new Response('no', { status: 404 }), 'the document could not be fetched'],
    [
      'too large',
      () => new Response(new Uint8Array(10 * 1024 * 1024 + 1)),
      'the document is larger than 10 MB',
    ],
    ['scanned', () => new Response(textPdf(['1'], ['2'])), 'the document contains no text'],
  ];
  test.each(cases)('%s', async (_, answer, why) => {
    fixture.documents.answers.set('/a.pdf', answer);
    fixture.release({ document: `${fixture.documents.url}/a.pdf`, headline: 'Quarterly report' });
    await fixture.summarise('basic');
    expect(await fixture.settled()).toMatchObject({ summary: SUMMARY, summary_note: `${HEADLINES} ${why}.` });
    expect(fixture.model.requests[0]?.messages[1]?.content).toContain('There are only headlines');
    expect(kept()).toMatchObject([{ note: `${HEADLINES} ${why}.` }]);
  });
});

test('a document on this machine is not read', async () => {
  const clock = { now: () => 0, monotonic: () => performance.now() };
  const file = join(newFolder(), 'own.pdf');
  writeFileSync(file, textPdf(['A private document, with quite enough letters to be read as one.']));
  const read = createDocumentReader(createHttpClient({ clock }));
  expect(await read(pathToFileURL(file).href, new AbortController().signal)).toEqual({
    text: null,
    note: `${HEADLINES} the document could not be fetched.`,
  });
});

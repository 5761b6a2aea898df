/** Answers of the specification's section 7.7 on channels and the catalog, with just the members of section 3. */
export const SPECIFIED_CHANNEL_ANSWERS = {
  'GET /api/admin/channels': [
    {
      ...{ id: 1, name: 'News', platform: 'discord', chatId: '1234567890123456789' },
      ...{ subscribed: 1, sendDaily: 0, created_at: '2026-11-18T00:00:00Z' },
    },
    {
      ...{ id: 2, name: 'Group', platform: 'telegram', chatId: '-1001234567890' },
      ...{ subscribed: 0, sendDaily: 1, created_at: '2026-11-18T00:00:00Z' },
    },
  ],
  'GET /api/admin/channels/1/messages': {
    messages: [
      {
        ...{ message_id: '1', timestamp: '2026-11-18T00:00:00Z', platform: 'discord', content: 'Hello' },
        author: { id: '5', display_name: 'Anna', username: 'anna' },
        attachments: [{ id: '9', name: 'chart.png', content_type: 'image/png', url: 'https://cdn.test/9' }],
      },
    ],
    channel: { id: 1, name: 'News' },
  },
  'GET /api/admin/indicators/catalog/tv/status': { fetchedAt: 1_795_136_400_000, totalIndicators: 159 },
};

const OUTCOME = { status: 'failed', reason: 'The bot was thrown out.', mayRepeat: true, sentAt: null };

/** What this product says of channels besides. */
export const OWN_CHANNEL_ANSWERS = {
  'GET /api/admin/channels': {
    channels: [
      {
        ...SPECIFIED_CHANNEL_ANSWERS['GET /api/admin/channels'][0],
        ...{ sendDaily: 1, broken: 'The bot was thrown out.', hasBot: true },
        summary: { date: '2026-11-18', ...OUTCOME, status: 'sent', sentAt: '2026-11-18T05:30:04Z' },
      },
    ],
  },
  'GET /api/admin/channels/broadcasts': {
    broadcasts: [
      {
        ...{ id: 1, message: 'Hello', sentAt: '2026-11-18T00:00:00Z', by: 'boss' },
        results: [{ channelId: 1, name: 'News', ...OUTCOME }],
      },
    ],
  },
};

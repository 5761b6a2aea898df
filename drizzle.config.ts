import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/platform/db/schema.ts',
    './src/platform/db/adjustmentSchema.ts',
    './src/platform/db/administrationSchema.ts',
    './src/platform/db/alertReviewSchema.ts',
    './src/platform/db/alertSchema.ts',
    './src/platform/db/announcementSchema.ts',
    './src/platform/db/auctionSchema.ts',
    './src/platform/db/calendarSchema.ts',
    './src/platform/db/callLedgerSchema.ts',
    './src/platform/db/callPathSchema.ts',
    './src/platform/db/deviceSchema.ts',
    './src/platform/db/glanceSchema.ts',
    './src/platform/db/modelSchema.ts',
    './src/platform/db/scanAlertSchema.ts',
    './src/platform/db/tapeSchema.ts',
  ],
  out: './migrations',
});

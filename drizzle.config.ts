import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/platform/db/schema.ts',
    './src/platform/db/adjustmentSchema.ts',
    './src/tables/administrationSchema.ts',
    './src/tables/alertReviewSchema.ts',
    './src/tables/alertSchema.ts',
    './src/tables/announcementSchema.ts',
    './src/tables/calendarSchema.ts',
    './src/tables/callLedgerSchema.ts',
    './src/tables/callPathSchema.ts',
    './src/tables/deviceSchema.ts',
    './src/tables/glanceSchema.ts',
    './src/tables/modelSchema.ts',
    './src/tables/scanAlertSchema.ts',
    './src/tables/tapeSchema.ts',
  ],
  out: './migrations',
});

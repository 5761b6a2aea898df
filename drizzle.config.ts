import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/db/schema.ts',
    './src/db/administrationSchema.ts',
    './src/db/alertSchema.ts',
    './src/db/announcementSchema.ts',
    './src/db/auctionSchema.ts',
    './src/db/calendarSchema.ts',
    './src/db/callPathSchema.ts',
    './src/db/modelSchema.ts',
    './src/db/scanAlertSchema.ts',
    './src/db/tapeSchema.ts',
  ],
  out: './migrations',
});

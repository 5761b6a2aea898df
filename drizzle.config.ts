import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/platform/db/schema.ts',
    './src/platform/db/adjustmentSchema.ts',
    './src/tables/administrationSchema.ts',
    './src/tables/alertSchema.ts',
    './src/tables/calendarSchema.ts',
    './src/tables/callSchema.ts',
    './src/tables/marketSchema.ts',
    './src/tables/oddsSchema.ts',
    './src/tables/userSchema.ts',
  ],
  out: './migrations',
});

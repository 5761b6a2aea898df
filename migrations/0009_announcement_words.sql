-- The words of the headlines, by the number of their announcement (src/db/announcementSchema.ts). Drizzle knows no virtual tables.
CREATE VIRTUAL TABLE `announcement_words` USING fts5(`words`, content='', contentless_delete=1, detail=none, prefix='2 3');

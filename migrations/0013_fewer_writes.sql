DROP INDEX `outbox_nonce_unique`;--> statement-breakpoint
DROP INDEX `outbox_open`;--> statement-breakpoint
CREATE INDEX `outbox_status` ON `outbox` (`status`);--> statement-breakpoint
CREATE INDEX `outbox_channel` ON `outbox` (`platform`,`chat_id`) WHERE "outbox"."target" = 'channel';--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_nonce` ON `outbox` (`nonce`) WHERE "outbox"."trigger_id" IS NULL;--> statement-breakpoint
ALTER TABLE `tape_segments` ADD `goes_on_from` integer;
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_channel_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` integer,
	`channel_name` text NOT NULL,
	`broadcast_id` integer,
	`summary_date` text,
	`summary_source` text,
	`nonce` text,
	`skipped_reason` text,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`broadcast_id`) REFERENCES `broadcasts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_channel_messages`("id", "channel_id", "channel_name", "broadcast_id", "summary_date", "summary_source", "nonce", "skipped_reason") SELECT "id", "channel_id", "channel_name", "broadcast_id", "summary_date", "summary_source", "nonce", "skipped_reason" FROM `channel_messages`;--> statement-breakpoint
DROP TABLE `channel_messages`;--> statement-breakpoint
ALTER TABLE `__new_channel_messages` RENAME TO `channel_messages`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `channel_messages_broadcast` ON `channel_messages` (`broadcast_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `channel_messages_summary` ON `channel_messages` (`channel_id`,`summary_source`,`summary_date`);--> statement-breakpoint
ALTER TABLE `channels` ADD `broken_at` integer;--> statement-breakpoint
ALTER TABLE `channels` ADD `broken_reason` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `target` text DEFAULT 'chat' NOT NULL;
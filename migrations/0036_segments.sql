CREATE TABLE `segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`date` text NOT NULL,
	`packed` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `segments_of` ON `segments` (`kind`,`source`,`date`);--> statement-breakpoint
INSERT INTO `segments` (`kind`, `source`, `date`, `packed`) SELECT 'minutes', `source`, `date`, `bars` FROM `minute_segments` ORDER BY `id`;--> statement-breakpoint
INSERT INTO `segments` (`kind`, `source`, `date`, `packed`) SELECT 'auctions', `source`, `date`, `changes` FROM `auction_segments` ORDER BY `id`;--> statement-breakpoint
INSERT INTO `segments` (`kind`, `source`, `date`, `packed`) SELECT 'stocks', `source`, `date`, `stocks` FROM `session_segments` ORDER BY `id`;--> statement-breakpoint
INSERT INTO `segments` (`kind`, `source`, `date`, `packed`) SELECT 'ended', `source`, `date`, `stocks` FROM `last_sessions` ORDER BY `source`;--> statement-breakpoint
INSERT INTO `segments` (`kind`, `source`, `date`, `packed`) SELECT 'preOpen', `source`, `date`, json_group_object(`code`, json(`snapshot`)) FROM `pre_open_snapshots` WHERE json_valid(`snapshot`) GROUP BY `source`, `date`;--> statement-breakpoint
DROP TABLE `last_sessions`;--> statement-breakpoint
DROP TABLE `minute_segments`;--> statement-breakpoint
DROP TABLE `pre_open_snapshots`;--> statement-breakpoint
DROP TABLE `session_segments`;--> statement-breakpoint
DROP TABLE `auction_segments`;
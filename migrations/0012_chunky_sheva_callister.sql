CREATE TABLE `auction_segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`date` text NOT NULL,
	`changes` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `auction_segments_source` ON `auction_segments` (`source`,`date`);
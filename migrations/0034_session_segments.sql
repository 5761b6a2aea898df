CREATE TABLE `session_segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`date` text NOT NULL,
	`stocks` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `session_segments_source` ON `session_segments` (`source`,`date`);
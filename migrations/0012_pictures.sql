CREATE TABLE `auction_segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`date` text NOT NULL,
	`changes` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `auction_segments_source` ON `auction_segments` (`source`,`date`);--> statement-breakpoint
CREATE TABLE `call_paths` (
	`call_id` integer PRIMARY KEY NOT NULL,
	`stops` text DEFAULT '[]' NOT NULL,
	`path` blob,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `tape_segments` (
	`source` text NOT NULL,
	`date` text NOT NULL,
	`first` integer NOT NULL,
	`until` integer NOT NULL,
	`minutes` blob NOT NULL,
	PRIMARY KEY(`source`, `date`, `first`)
);

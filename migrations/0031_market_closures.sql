CREATE TABLE `special_days` (
	`date` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`closes_at` text,
	`reason` text NOT NULL,
	`by_setting` integer NOT NULL,
	`added_at` integer NOT NULL
);

CREATE TABLE `last_sessions` (
	`source` text PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`stocks` blob NOT NULL
);

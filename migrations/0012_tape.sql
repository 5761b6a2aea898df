CREATE TABLE `tape_segments` (
	`source` text NOT NULL,
	`date` text NOT NULL,
	`first` integer NOT NULL,
	`until` integer NOT NULL,
	`minutes` blob NOT NULL,
	PRIMARY KEY(`source`, `date`, `first`)
);

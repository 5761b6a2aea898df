CREATE TABLE `value_curves` (
	`source` text NOT NULL,
	`date` text NOT NULL,
	`curves` blob NOT NULL,
	PRIMARY KEY(`source`, `date`)
);

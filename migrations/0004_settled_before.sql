-- Results from before the first trade after the deed counted: what they were computed from, in the columns of today.
UPDATE `calls` SET
	`entry_trade_at` = coalesce(`filled_at`, `submitted_at`),
	`entry_trade_price` = CASE WHEN `call_type` = 'bought'
		THEN max(`entry_price`, coalesce(`price_at_submission`, 0)) ELSE `fill_price` END,
	`exit_trade_at` = `closed_at`,
	`exit_trade_price` = `price_at_close`
WHERE `verified_percent` IS NOT NULL;

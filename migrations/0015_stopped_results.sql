-- A reached stop ends the verified result; calls that ended before that was the rule follow it too.
UPDATE `calls` SET `verified_percent` = round((`stop_reached_price` / max(`entry_price`, `entry_trade_price`) - 1) * 100, 4)
WHERE `stop_reached_price` IS NOT NULL AND `entry_trade_price` IS NOT NULL AND `filled_at` IS NOT NULL
  AND `closed_at` IS NOT NULL AND `is_awaiting_exit` = 0;

-- Adds `number` to the counter `counted` of an event for the current day (Prague time). Nothing is counted for an event
-- without a row in all_events, for example while the event is being deleted. The language is PL/pgSQL, because a
-- session caches the plans of PL/pgSQL functions; an SQL function would be planned at each call.
CREATE OR REPLACE FUNCTION count_event_day(event bigint, counted text, number integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_days AS d (event_id, day, what, total)
  SELECT e.id, (clock_timestamp() AT TIME ZONE 'Europe/Prague')::date, counted, number FROM all_events e WHERE e.id = event
  ON CONFLICT (event_id, day, what) DO UPDATE SET total = d.total + excluded.total;
END $$;

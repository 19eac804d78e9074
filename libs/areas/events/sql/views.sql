-- The visible rows of all_events (docs/adr/0021-out-of-sight.md). To show a new column of all_events in this view,
-- append the column to the end of the list after SELECT.
CREATE OR REPLACE VIEW events AS
SELECT a.id, a.organizer_id, a.group_id, a.series_id, a.series_index, a.status, a.title, a.description, a.type, a.starts_at, a.ends_at, a.over_at,
       a.location_name, a.location_address, a.latitude, a.longitude, a.is_public, a.join_mode, a.join_password_sealed, a.max_participants,
       a.confirmed_count, a.seeking_company, a.age_min, a.age_max, a.gender_restriction, a.price_czk, a.price_note, a.ticket_url,
       a.ticket_price_credits, a.photos_enabled, a.source_name, a.source_url, a.boosted_until, a.images, a.created_at, a.updated_at, a.revision,
       a.calendar_sequence, a.cancelled_at, a.version, a.waitlist_mode, a.offer_hours, a.offers_count
  FROM all_events a
 WHERE a.removed_at IS NULL
   -- A removed series hides its occurrences. With OFFSET 0, PostgreSQL looks up the series of each row in the index,
   -- and never scans the whole table.
   AND NOT (a.series_id IS NOT NULL AND EXISTS (SELECT FROM all_series s WHERE s.id = a.series_id AND s.removed_at IS NOT NULL OFFSET 0))
   -- A ban of the organizer hides the organizer's events that are active and not over.
   AND NOT (a.status = 'active' AND a.over_at > now()
     AND EXISTS (SELECT FROM users u WHERE u.id = a.organizer_id AND is_banned(u.banned, u.banned_until) OFFSET 0));

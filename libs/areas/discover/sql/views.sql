-- The events that Discover lists until they are over (docs/adr/0006-live-events.md). The table live_events has the same
-- columns as this view, in the same order.
CREATE OR REPLACE VIEW listable_events AS
SELECT e.id, e.starts_at, e.over_at, e.boosted_until, e.organizer_id, e.type, e.source_name IS NOT NULL AS imported,
       e.seeking_company AS seeking, e.confirmed_count + 1 AS participants,
       cosd(e.latitude) * cosd(e.longitude) AS x, cosd(e.latitude) * sind(e.longitude) AS y, sind(e.latitude) AS z,
       (floor((e.latitude + 90) * 10) * 10000 + floor((e.longitude + 180) * 10))::integer AS cell,
       ' ' || f_fold_words(concat_ws(' ', e.title, f_visible_text(e.description), e.location_name, e.location_address)) AS folded,
       coalesce(e.price_czk, 0) = 0 AND coalesce(e.ticket_price_credits, 0) = 0 AS free, e.group_id, e.series_id,
       e.latitude::double precision AS latitude, e.longitude::double precision AS longitude,
       -- In whole milliseconds, because the list's cursor contains this time in milliseconds.
       date_trunc('milliseconds', e.created_at) AS created_at,
       -- The title, the description and the place are on separate lines, so that no searched text matches the end of
       -- one line and the beginning of the next.
       concat_ws(E'\n', f_fold_text(e.title), f_fold_text(f_visible_text(e.description)), f_fold_text(concat_ws(' ', e.location_name, e.location_address))) AS folded_text
  FROM all_events e
 WHERE e.is_public AND e.status = 'active' AND e.removed_at IS NULL
   AND NOT EXISTS (SELECT FROM all_series s WHERE s.id = e.series_id AND s.removed_at IS NOT NULL)
   AND NOT EXISTS (SELECT FROM users u WHERE u.id = e.organizer_id AND is_banned(u.banned, u.banned_until));
